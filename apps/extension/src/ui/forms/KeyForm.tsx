/**
 * The API key: typed once, sent to the background, and then removed from the page. It is never sent back to a page; only its last four characters are
 * shown.
 */
import type { AppState } from "../../messages/AppState.ts"
import { useBackground, useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { EntryForm } from "./EntryForm.tsx"
import type { Read } from "./EntryForm.tsx"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Choice } from "./Choice.tsx"

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

/** The visible part of the stored key: its last four characters. */
export const KeyHint = ({ hint }: { readonly hint: string }) => (
  <>
    {text("keySet")}{" "}
    <code dir="ltr" aria-hidden="true">
      ••••••••{hint}
    </code>
    <span class="unseen">{text("keyEnds", hint)}</span>
  </>
)

/** The choice of where the key is stored, with an explanation of each place. An existing key is moved at once. */
export const KeyStorage = ({ state, onState }: StateProps) => {
  const moving = useChange(onState)
  return (
    <Choice
      name="keyStorage"
      label={text("keyStorageLabel")}
      chosen={state.settings.keyStorage}
      options={[
        { value: "device", label: text("keyStorageDevice"), meaning: text("keyStorageDeviceMeaning") },
        { value: "session", label: text("keyStorageSession"), meaning: text("keyStorageSessionMeaning") },
      ]}
      onChoose={(keyStorage) => moving.ask({ type: "page.setSettings", settings: { keyStorage } })}
    >
      <ErrorNotice error={moving.error} />
    </Choice>
  )
}
