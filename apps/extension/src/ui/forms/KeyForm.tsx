/**
 * The API key: typed once, sent to the background, and then removed from the page. It is never sent back to a page; only its last four characters are
 * shown.
 */
import type { AppState } from "../../messages/AppState.ts"
import { useBackground } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { EntryForm } from "./EntryForm.tsx"
import type { Read } from "./EntryForm.tsx"

interface TypedKey {
  readonly _tag: "Usable"
  readonly key: string
}

const read = (typed: string): Read<TypedKey> => {
  const key = typed.trim()
  return key === "" ? { _tag: "Unusable", problem: "keyEmpty" } : { _tag: "Usable", key }
}

export const KeyForm = ({
  state,
  submit,
  onDone,
  isOnly = false,
}: {
  readonly state: AppState
  /** The label of the button. */
  readonly submit: string
  readonly onDone: (state: AppState) => void
  readonly isOnly?: boolean
}) => {
  const background = useBackground()
  return (
    <EntryForm
      entry={{
        id: "key",
        kind: "secret",
        label: state.keyHint === null ? text("keyLabel") : text("keyLabelOther"),
        hint: text("keyHint"),
      }}
      isCleared
      read={read}
      submit={submit}
      isOnly={isOnly}
      done={state.keyHint === null ? null : text("keyKept")}
      onDone={onDone}
      send={({ key }) => background.ask({ type: "page.setKey", key })}
    />
  )
}
