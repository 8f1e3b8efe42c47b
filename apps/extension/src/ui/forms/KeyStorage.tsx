/** The choice of where the key is stored, with an explanation of each place. An existing key is moved at once. */
import type { AppState } from "../../messages/AppState.ts"
import { useAction, useBackground } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Choice } from "./Choice.tsx"

export const KeyStorage = ({
  state,
  onState,
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const moving = useAction(onState)
  return (
    <Choice
      name="keyStorage"
      label={text("keyStorageLabel")}
      chosen={state.settings.keyStorage}
      options={[
        { value: "device", label: text("keyStorageDevice"), meaning: text("keyStorageDeviceMeaning") },
        { value: "session", label: text("keyStorageSession"), meaning: text("keyStorageSessionMeaning") },
      ]}
      onChoose={(keyStorage) =>
        moving.run(() => background.ask({ type: "page.setSettings", settings: { keyStorage } }))
      }
    >
      <ErrorNotice error={moving.error} />
    </Choice>
  )
}
