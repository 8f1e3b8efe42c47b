/** The task of the second screen: the key, tested at once, so that a wrong one is detected here and not on the last screen. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { KeyForm } from "../forms/KeyForm.tsx"
import { KeyHint } from "../forms/KeyHint.tsx"
import { KeyStorage } from "../forms/KeyStorage.tsx"
import { Stages } from "../forms/Stages.tsx"
import { useTrial, verdictOf } from "../forms/Trial.ts"
import { text } from "../kit/Message.ts"

export const KeyStep = ({
  state,
  onState,
  onNext,
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
  readonly onNext: () => void
}) => {
  const trial = useTrial()
  const isGood = trial.state._tag === "Ended" && /ok|warning/.test(verdictOf(trial.state.stages))
  const isWaiting = trial.state._tag === "Running"
  const { keyHint } = state
  const next = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isGood) next.current?.focus()
  }, [isGood])
  return (
    <>
      {keyHint === null ? null : (
        <p class="welcome-has">
          <KeyHint hint={keyHint} />
        </p>
      )}
      {isGood ? null : (
        <>
          <KeyForm
            state={state}
            submit={text("keyTry")}
            isOnly={keyHint === null}
            onDone={(after) => {
              onState(after)
              trial.start()
            }}
          />
          <details class="welcome-more">
            <summary>{text("keyWhere")}</summary>
            <KeyStorage state={state} onState={onState} />
          </details>
        </>
      )}
      <Stages trial={trial.state} />
      {keyHint === null || isWaiting ? null : (
        <p class="form-end">
          <button ref={next} type="button" class={isGood ? "button button-main" : "button"} onClick={onNext}>
            {isGood ? text("welcomeNext") : text("welcomeAnyway")}
          </button>
        </p>
      )}
    </>
  )
}
