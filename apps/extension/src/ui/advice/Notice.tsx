/** An advice or a refusal on a page: what happened, what it means, and the buttons for what can be done. */
import type { Refusal } from "../../messages/PageMessage.ts"
import type { Advice, Step } from "./Advice.ts"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"

const icons = { problem: "warning", wait: "wait", plain: "info" } as const

export const Notice = <AStep extends string = Step>({
  advice,
  onStep,
  isLarge = false,
}: {
  readonly advice: Advice<AStep>
  readonly onStep: (step: AStep) => void
  /** Whether it is all that there is to see, instead of a line above something else. */
  readonly isLarge?: boolean
}) => (
  <section class={isLarge ? "notice notice-large" : "notice"} data-tone={advice.tone}>
    <Icon name={icons[advice.tone]} />
    <div class="notice-words">
      <h2>{advice.title}</h2>
      <p>{advice.body}</p>
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
          <button
            key={step}
            type="button"
            class={place === 0 ? "button button-main" : "button"}
            onClick={() => onStep(step)}
          >
            {label}
          </button>
        ))}
      </p>
    )}
  </section>
)

/** Why an action did not work. It speaks up by itself, so the space for it is always there. */
export const Refused = ({ refusal }: { readonly refusal: Refusal | null }) => (
  <div role="alert">
    {refusal === null ? null : (
      <div class="refused">
        <Icon name="warning" />
        <p>
          <strong>{refusal.message}</strong> {refusal.advice}
        </p>
      </div>
    )}
  </div>
)
