/**
 * A form with one entry and one button: checks the entry when it is submitted, and shows the answer of the background. A browser's permission prompt
 * needs a user gesture, so `send` is called while the submission is handled.
 */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { MessageName } from "../../BrowserNames.ts"
import type { AppState } from "../../messages/AppState.ts"
import type { UserError } from "../../messages/PageMessage.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { text } from "../kit/Message.ts"
import { useAction } from "../state/Live.ts"
import { Done, Entry } from "./Entry.tsx"
import type { EntryProps } from "./Entry.tsx"
import { Button } from "../kit/Button.tsx"

/** The entry if it can be submitted, or else its problem. */
export type Read<Usable> = Usable | { readonly _tag: "Unusable"; readonly problem: MessageName }

/** After so long, a prompt of the browser is probably overlooked. */
const overlookedMillis = 5_000

/** Whether something has been going on for so long. */
const useOverlooked = (isBusy: boolean): boolean => {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!isBusy) return
    const timer = setTimeout(() => setLate(true), overlookedMillis)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isBusy && isLate
}

export const EntryForm = <Usable extends { readonly _tag: "Usable" }>({
  done,
  entry,
  initial = "",
  isCleared = false,
  isOnly,
  isPrompting = false,
  onDone,
  read,
  reason,
  send,
  submit,
  warningOf = () => null,
}: {
  /** Confirms a success; null for nothing. */
  readonly done: string | null
  readonly entry: Pick<EntryProps, "id" | "label" | "hint" | "placeholder" | "kind">
  readonly initial?: string
  /** Whether the entry is emptied after a success. */
  readonly isCleared?: boolean
  /** Whether it is the only form of its page; otherwise its button is highlighted only if there is something to submit. */
  readonly isOnly: boolean
  /** Whether the browser asks the user something when it is submitted. */
  readonly isPrompting?: boolean
  readonly onDone: (state: AppState) => void
  readonly read: (typed: string) => Read<Usable>
  readonly reason?: ComponentChildren
  readonly send: (usable: Usable) => Promise<AppState | UserError>
  readonly submit: string
  /** What a success would remove; null for nothing. */
  readonly warningOf?: (typed: string) => string | null
}) => {
  const [typed, setTyped] = useState(initial)
  const [isTried, setTried] = useState(false)
  const [isDone, setDone] = useState(false)
  const action = useAction<AppState>((after) => {
    if (isCleared) setTyped("")
    setTried(false)
    setDone(true)
    onDone(after)
  })
  const isOverlooked = useOverlooked(isPrompting && action.isBusy)
  const last = useRef(initial)
  useLayoutEffect(() => {
    // Not on the first render: the user may have typed already.
    if (last.current !== initial) setTyped(initial)
    last.current = initial
  }, [initial])
  const value = read(typed)
  const warning = warningOf(typed)
  const isMain = isOnly || typed.trim() !== (isCleared ? "" : initial)

  const onSubmit = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    setDone(false)
    if (value._tag === "Usable") action.run(() => send(value))
  }
  return (
    <form class="form" onSubmit={onSubmit} noValidate>
      <Entry
        {...entry}
        value={typed}
        autoFocus={isOnly}
        problem={isTried && value._tag === "Unusable" ? text(value.problem) : null}
        onType={(value) => {
          setTyped(value)
          setTried(false)
          setDone(false)
          action.forget()
        }}
      />
      {warning === null ? null : <p class="form-loss">{warning}</p>}
      {reason === undefined ? null : <p class="form-reason">{reason}</p>}
      <p class="form-end">
        <Button type="submit" kinds={isMain ? "main" : ""} disabled={action.isBusy}>
          {action.isBusy ? text("busy") : submit}
        </Button>
        <Done>{isDone ? done : null}</Done>
      </p>
      <p class="form-prompt" role="status">
        {isOverlooked ? text("promptOverlooked") : null}
      </p>
      <ErrorNotice error={action.error} />
    </form>
  )
}
