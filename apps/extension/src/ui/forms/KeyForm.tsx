/**
 * The API key: typed once, handed to the background, and dropped from the page at once. No page ever gets it back; the last four characters
 * are all there is to see of it.
 */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { useAction, useBackground } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { Refused } from "../advice/Notice.tsx"
import { Done, Entry } from "./Entry.tsx"

export const KeyForm = ({
  state,
  submit,
  onDone,
  isOnly = false,
}: {
  readonly state: AppState
  /** The words on the button. */
  readonly submit: string
  readonly onDone: (state: AppState) => void
  /** Whether it is the one thing to do on its page; else its button stands out only when there is something to save. */
  readonly isOnly?: boolean
}) => {
  const background = useBackground()
  const [typed, setTyped] = useState("")
  const [isTried, setTried] = useState(false)
  const [isKept, setKept] = useState(false)
  const keeping = useAction<AppState>((after) => {
    setTyped("")
    setTried(false)
    setKept(true)
    onDone(after)
  })
  const key = typed.trim()

  const keep = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    setKept(false)
    if (key !== "") keeping.run(() => background.ask({ type: "page.setKey", key }))
  }
  return (
    <form class="form" onSubmit={keep} noValidate>
      <Entry
        id="key"
        kind="secret"
        label={state.keyHint === null ? text("keyLabel") : text("keyLabelOther")}
        hint={text("keyHint")}
        value={typed}
        autoFocus={isOnly}
        problem={isTried && key === "" ? text("keyEmpty") : null}
        onType={(value) => {
          setTyped(value)
          setTried(false)
          setKept(false)
          keeping.forget()
        }}
      />
      <p class="form-end">
        <button
          type="submit"
          class={isOnly || key !== "" ? "button button-main" : "button"}
          disabled={keeping.isBusy}
        >
          {keeping.isBusy ? text("busy") : submit}
        </button>
        <Done>{isKept && state.keyHint !== null ? text("keyKept") : null}</Done>
      </p>
      <Refused refusal={keeping.refusal} />
    </form>
  )
}
