/** The four first steps in order. The page's fragment names the current one, so that reload, back and links work as usual. */
import { useEffect, useState } from "preact/hooks"

export const steps = ["address", "key", "sites", "sync"] as const
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
export const around = (
  step: StepName,
): { readonly before: StepName | null; readonly after: StepName | null } => {
  const place = steps.indexOf(step)
  return { before: steps[place - 1] ?? null, after: steps[place + 1] ?? null }
}
