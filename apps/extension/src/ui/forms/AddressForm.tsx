/**
 * The address of the service: checked, allowed by the browser, then saved by the background. A different address removes key and index; the form
 * shows this first.
 */
import type { AppState } from "../../messages/AppState.ts"
import { useBackground } from "../state/Live.ts"
import { plural, text } from "../kit/Message.ts"
import { EntryForm } from "./EntryForm.tsx"
import { withGrant } from "../state/Grants.ts"
import * as TypedAddress from "./TypedAddress.ts"

/** Describes what is removed with the old address; null for nothing. */
const lossOf = ({ baseUrl, index, keyHint }: AppState, typed: string): string | null => {
  if (baseUrl === null || (keyHint === null && index.contracts === 0)) return null
  const address = TypedAddress.baseAddress(typed)
  if (address._tag === "Unusable" || TypedAddress.isSame(address.url.href, baseUrl)) return null
  return index.contracts === 0 ? text("addressDropsKey") : plural("addressDrops", index.contracts)
}

export const AddressForm = ({
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
        id: "address",
        label: text("addressLabel"),
        hint: text("addressHint"),
        placeholder: "https://api.example.com",
      }}
      initial={state.baseUrl ?? ""}
      read={TypedAddress.baseAddress}
      warningOf={(typed) => lossOf(state, typed)}
      reason={text("addressReason")}
      submit={submit}
      isOnly={isOnly}
      isPrompting
      done={state.baseUrl === null ? null : text("addressKept")}
      onDone={onDone}
      send={({ url: { href, origin } }) =>
        withGrant(origin, () => background.ask({ type: "page.setAddress", baseUrl: href }))
      }
    />
  )
}
