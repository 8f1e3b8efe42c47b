/** The notices of a page: the advice for a state with its buttons, or the error of an action. */
import type { UserError } from "../../messages/PageMessage.ts"
import type { Step } from "../../failures/ConnectionFailure.ts"
import type { Advice } from "./Advice.ts"
import { useEffect, useState } from "preact/hooks"
import * as Age from "../kit/Age.ts"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
import { Button } from "../kit/Button.tsx"

const icons = { problem: "warning", wait: "wait", plain: "info" } as const

export const Notice = <AStep extends string = Step>({
  advice,
  onStep,
  isTrying = false,
  isLarge = false,
}: {
  readonly advice: Advice<AStep>
  readonly onStep: (step: AStep) => void
  /** Whether what was tried again is under way. */
  readonly isTrying?: boolean
  /** Whether the notice is the only content, rather than a line above other content. */
  readonly isLarge?: boolean
}) => {
  const [triedAt, setTriedAt] = useState<string | null>(null)
  useEffect(() => setTriedAt(null), [advice.title])
  return (
    <section class={isLarge ? "notice notice-large" : "notice"} data-tone={advice.tone}>
      <Icon name={icons[advice.tone]} />
      <div class="notice-words">
        <h2>{advice.title}</h2>
        <p>{advice.body}</p>
        <p role="status">{triedAt === null || isTrying ? null : text("triedAgain", Age.clock(triedAt))}</p>
        {advice.detail === undefined ? null : (
          <details>
            <summary>{text("whatWasSaid")}</summary>
            <p>
              <bdi>{advice.detail.slice(0, 500)}</bdi>
            </p>
          </details>
        )}
      </div>
      {advice.steps.length === 0 ? null : (
        <p class="notice-steps">
          {advice.steps.map(({ label, step }, place) => (
            <Button
              key={step}
              kinds={place === 0 ? "main" : ""}
              onClick={() => {
                setTriedAt(step === "sync" ? new Date().toISOString() : null)
                onStep(step)
              }}
            >
              {label}
            </Button>
          ))}
        </p>
      )}
    </section>
  )
}

/** The error of an action. The element is always present, so that a screen reader announces the text when it appears. */
export const ErrorNotice = ({ error }: { readonly error: UserError | null }) => (
  <div role="alert">
    {error === null ? null : (
      <div class="error-notice">
        <Icon name="warning" />
        <p>
          <strong>{error.message}</strong> {error.advice}
        </p>
      </div>
    )}
  </div>
)
