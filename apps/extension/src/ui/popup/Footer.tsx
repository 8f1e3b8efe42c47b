/**
 * The popup's foot: the line about keys, the changes, the listings of the page in front, and its site. It is rendered last, and nothing above waits
 * for it.
 */
import type { AppState } from "../../messages/AppState.ts"
import { useAction, useBackground } from "../state/Live.ts"
import * as Tab from "../state/Tab.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { ChangesEntry } from "./changes/Entry.tsx"
import { KeysRow } from "./KeysRow.tsx"
import { Entry } from "./onpage/Entry.tsx"
import { useOtherAccount } from "./OtherAccount.ts"
import { SiteBar } from "./SiteBar.tsx"

/** What the popup shows: a contract by its number, the listings of the page in front, the changes, or the list. */
export type View = number | "page" | "changes" | null

export const Footer = ({
  origin,
  isListing,
  state,
  view,
  onState,
  onView,
}: {
  /** The site in front; null if there is none or the browser does not reveal it. */
  readonly origin: string | null
  /** Whether the page in front is that of a listing with contracts. */
  readonly isListing: boolean
  readonly state: AppState
  readonly view: View
  readonly onState: (state: AppState) => void
  readonly onView: (view: View) => void
}) => {
  const background = useBackground()
  useOtherAccount(state, () => onView(null))
  const acting = useAction(onState)
  const showing = useAction(onState)
  const site = state.sites.find((known) => known.origin === origin) ?? null
  const isBare =
    view === null && !isListing && site?.isGranted === true && site.isOn && state.index.contracts > 0
  return (
    <>
      <KeysRow state={state} />
      {view === null ? <ChangesEntry state={state} onOpen={() => onView("changes")} /> : null}
      {origin === null || view === "page" ? null : (
        <Entry site={isBare ? origin : null} onOpen={() => onView("page")} />
      )}
      <ErrorNotice error={showing.error ?? acting.error} />
      {origin === null || state.baseUrl === null ? null : (
        <SiteBar
          key={origin}
          origin={origin}
          site={site}
          onSwitch={(isOn) => acting.run(() => background.ask({ type: "page.switchSite", origin, isOn }))}
          onAdd={() => void Tab.open(`/options.html?site=${encodeURIComponent(origin)}#sites`)}
          onOnce={() =>
            showing.run(async () =>
              background.ask({ type: "page.showOnce", tabId: await Tab.currentId(), origin }),
            )
          }
        />
      )}
    </>
  )
}
