/** One screen of the first steps: its position among the four, its topic, its one task, and buttons to go back and to skip it. */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { MessageName } from "../../BrowserNames.ts"
import { Icon, Mark } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
import { Button } from "../kit/Button.tsx"

/** The four first steps in order. The page's fragment names the current one, so that reload, back and links work as usual. */
const steps = ["address", "key", "sites", "sync"] as const
export type StepName = (typeof steps)[number]

const named = (): StepName => steps.find((step) => `#${step}` === location.hash) ?? "address"

/** The current step, and a function to go to another one. */
export const useStep = (): readonly [StepName, (step: StepName) => void] => {
  const [step, setStep] = useState(named)
  useEffect(() => {
    const follow = (): void => setStep(named())
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  return [
    step,
    (next) => {
      location.hash = next
      setStep(next)
    },
  ]
}

/** The previous and the next step; null at the ends. */
const around = (step: StepName): { readonly before: StepName | null; readonly after: StepName | null } => {
  const place = steps.indexOf(step)
  return { before: steps[place - 1] ?? null, after: steps[place + 1] ?? null }
}

const names = {
  address: "welcomeAddress",
  key: "welcomeKey",
  sites: "welcomeSites",
  sync: "welcomeSync",
} as const satisfies { readonly [Step in StepName]: MessageName }

export const Screen = ({
  step,
  title,
  intro,
  done,
  onGo,
  skip = null,
  children,
}: {
  readonly step: StepName
  readonly title: string
  readonly intro: string
  /** Steps whose task is done. */
  readonly done: ReadonlySet<StepName>
  readonly onGo: (step: StepName) => void
  /** The label of the button that skips this step; null if it cannot be skipped. */
  readonly skip?: string | null
  readonly children: ComponentChildren
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
  }, [step])
  const { after, before } = around(step)
  const place = steps.indexOf(step) + 1
  return (
    <div class="welcome">
      <header class="welcome-header">
        <Mark />
        <p class="welcome-name">{text("extensionName")}</p>
        <ol class="welcome-steps" aria-label={text("welcomeSteps")}>
          {steps.map((known) => (
            <li
              key={known}
              data-done={done.has(known)}
              {...(known === step ? { "aria-current": "step" as const } : {})}
            >
              <span class="welcome-dot">
                {done.has(known) && known !== step ? <Icon name="ok" /> : steps.indexOf(known) + 1}
              </span>
              <span class="welcome-step-name">{text(names[known])}</span>
            </li>
          ))}
        </ol>
      </header>
      <main class="welcome-main">
        <p class="welcome-place">{text("welcomePlace", String(place), String(steps.length))}</p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p class="welcome-intro">{intro}</p>
        {children}
      </main>
      <footer class="welcome-footer">
        {before === null ? null : <Button onClick={() => onGo(before)}>{text("welcomeBack")}</Button>}
        {after === null || skip === null ? null : (
          <Button kinds="quiet" onClick={() => onGo(after)}>
            {skip}
          </Button>
        )}
      </footer>
    </div>
  )
}
