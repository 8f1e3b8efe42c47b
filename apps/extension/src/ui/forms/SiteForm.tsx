/** The form that adds a listing site: checked, allowed by the browser, then added by the background, which shows badges on it. */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { useBackground } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { EntryForm } from "./EntryForm.tsx"
import { withGrant } from "../state/Grants.ts"
import * as TypedAddress from "./TypedAddress.ts"

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
