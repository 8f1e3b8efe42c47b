/** The forms for the address of the service and of a listing site: each is checked, allowed by the browser, then kept by the background. */
import { useState } from "preact/hooks"
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

/** A different address of the service removes key and index; the form shows this first. */
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

export const SiteForm = ({
  state,
  onDone,
  initial = "",
  isOnly = false,
}: {
  readonly state: AppState
  readonly onDone: (state: AppState) => void
  /** A prefilled address, such as that of the page on which the popup was opened. */
  readonly initial?: string
  readonly isOnly?: boolean
}) => {
  const background = useBackground()
  const [added, setAdded] = useState<string | null>(null)
  const isAdded = added !== null && state.sites.some(({ origin }) => origin === added)
  return (
    <EntryForm
      entry={{
        id: "site",
        label: text("siteLabel"),
        hint: text("siteHint"),
        placeholder: "https://homes.example",
      }}
      initial={initial}
      isCleared
      read={TypedAddress.siteAddress}
      reason={text("siteReason")}
      submit={text("siteAllow")}
      isOnly={isOnly}
      isPrompting
      done={isAdded ? text("siteAdded", new URL(added).host) : null}
      onDone={onDone}
      send={({ url: { origin } }) => {
        setAdded(origin)
        return withGrant(origin, () => background.ask({ type: "page.addSite", origin }))
      }}
    />
  )
}
