/**
 * The popup's foot: the changes, the listings of the page in front, its link to a listing, and its site. It is rendered last, and nothing above waits
 * for it.
 */
import { linksOf } from "../../messages/AppState.ts"
import type { AppState, Site, Change } from "../../messages/AppState.ts"
import { linkableAddress } from "../../address/Reference.ts"
import { useAction, useBackground, useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import * as Tab from "../state/Tab.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { useEffect, useRef } from "preact/hooks"
import { later } from "../kit/Later.tsx"
import { plural, text } from "../kit/Message.ts"
import { Icon } from "../kit/Icon.tsx"
import { Switch, Button } from "../kit/Button.tsx"
import { useChanges } from "./changes/Visits.ts"
import * as Visits from "./changes/Visits.ts"
import { useCards } from "./onpage/FrontTab.ts"

const LooksLike = later(() => import("./link/LooksLike.tsx").then((loaded) => loaded.LooksLike))

/** Opens a site in the options: its patterns, or the form that adds it. */
const openSite = (origin: string): Promise<void> =>
  Tab.open(`/options.html?site=${encodeURIComponent(origin)}#sites`)

/**
 * The button that opens the listings of the page in front, with their number. If there are none on a site that should have badges, badges for links
 * that look like listings, or the way to the site's patterns.
 */
const OnPageEntry = ({
  site,
  isBare,
  onState,
  onOpen,
}: {
  readonly site: Site | null
  /** Whether a page without badges needs advice. */
  readonly isBare: boolean
  readonly onState: (state: AppState) => void
  readonly onOpen: () => void
}) => {
  const cards = useCards(site?.patterns)
  if (cards === null || (cards.total === 0 && !isBare)) return null
  return cards.total === 0 && site !== null ? (
    <LooksLike site={site} onState={onState}>
      <button type="button" class="on-page-entry" onClick={() => void openSite(site.origin)}>
        <Icon name="info" />
        <span>
          {text("teachAsk")} <u>{text("teachTitle")}</u>
        </span>
      </button>
    </LooksLike>
  ) : (
    <button type="button" class="on-page-entry" onClick={onOpen}>
      <Icon name="table" />
      {plural("onPageListings", cards.total)}
    </button>
  )
}

const changeWords = { new: "changesNew", changed: "changesChanged", gone: "changesGone" } as const

/** Such as `3 new, 5 changed`; empty for none. */
const summaryOf = (changes: ReadonlyArray<Change>): string => {
  const counts = Visits.countsOf(changes)
  return (["new", "changed", "gone"] as const)
    .flatMap((kind) => (counts[kind] === 0 ? [] : [plural(changeWords[kind], counts[kind])]))
    .join(", ")
}

/**
 * The button that opens the list of changes, with their number since it was last viewed, those of watched contracts first. Renders nothing if there
 * are none.
 */
const ChangesEntry = ({ state, onOpen }: { readonly state: AppState; readonly onOpen: () => void }) => {
  const answer = useChanges(state, false)
  if (answer === null || answer === "failed") return null
  const since = Visits.since(answer, Visits.seenTo(state.account))
  const summary = summaryOf(since)
  const { changed, ids } = state.watched
  const ofWatched = since.map(({ id }) => id).filter((id) => ids.includes(id))
  // If the toolbar shows a mark, the button is shown, whatever this page remembers of the last view.
  const watched = new Set([...ofWatched, ...changed.map(([id]) => id)]).size
  if (summary === "" && watched === 0) return null
  return (
    <button type="button" class="changes-entry" onClick={onOpen}>
      {watched === 0 ? null : <b>{plural("changesWatched", watched)}</b>}
      {watched === 0 || summary === "" ? null : " · "}
      {summary}
    </button>
  )
}

/**
 * The site in front of the popup: its switch if it was added; otherwise a button to add it, and badges for the page in front only. Permission is
 * requested in a tab, because browsers hide or lose such a prompt under a popup. Opening the popup on a page gives permission for that page.
 */
const SiteBar = ({
  origin,
  site,
  onSwitch,
  onAdd,
  onOnce,
}: {
  readonly origin: string
  readonly site: Site | null
  readonly onSwitch: (isOn: boolean) => void
  readonly onAdd: () => void
  readonly onOnce: () => void
}) => {
  const host = <bdi class="site-host">{new URL(origin).host}</bdi>
  return (
    <footer class="site-bar">
      {site !== null && site.isGranted ? (
        <Switch isOn={site.isOn} onChange={onSwitch}>
          {text("siteBadges")} {host}
        </Switch>
      ) : (
        <>
          <span class="site-name">
            <span class="unseen">{site === null ? text("siteUnknown") : text("siteTakenBack")}</span> {host}
          </span>
          <Button kinds="small quiet" title={text("siteOnceHint")} onClick={onOnce}>
            {text("siteOnce")}
          </Button>
          <Button kinds="small" onClick={onAdd}>
            {site === null ? text("siteAdd") : text("siteAllowAgain")}
            <Icon name="out" />
          </Button>
        </>
      )}
    </footer>
  )
}

/** Links the page in front to a listing, or a site's first page its cards; or says that the page is linked and takes that back. */
const LinkEntry = ({
  page,
  state,
  isBare,
  onLink,
  onCards,
  onUnlink,
}: {
  readonly page: Tab.FrontPage
  readonly state: AppState
  /** Whether the page shows no contracts where it could. */
  readonly isBare: boolean
  readonly onLink: () => void
  /** Links several listings of the page. */
  readonly onCards: () => void
  readonly onUnlink: () => void
}) => {
  const address = linkableAddress(page.url)
  const links = linksOf(state)
  if (address !== null && Object.hasOwn(links, address))
    return (
      <section class="linked" aria-labelledby="linked">
        <span id="linked">{text("linked")}</span>
        <Button kinds="small quiet" onClick={onUnlink}>
          {text("linkUndo")}
        </Button>
      </section>
    )
  return isBare ? (
    <button type="button" class="on-page-entry" onClick={address === null ? onCards : onLink}>
      <Icon name="link" />
      {text(address === null ? "linkCards" : "linkTitle")}
    </button>
  ) : null
}

/** Leaves the shown contract when another account is selected, because a contract belongs to one account. */
const useOtherAccount = ({ account }: AppState, onOther: () => void): void => {
  const before = useRef(account)
  useEffect(() => {
    if (before.current !== account) onOther()
    before.current = account
  }, [account])
}

/** What the popup shows: a contract by its number, the listings of the page in front, linking that page or its cards, the changes, or the list. */
export type View = number | "page" | "link" | "cards" | "changes" | null

export const Footer = ({
  page,
  isListing,
  state,
  view,
  onState,
  onView,
}: StateProps & {
  /** The page in front; null if there is none or the browser does not reveal it. */
  readonly page: Tab.FrontPage | null
  /** Whether the page in front is that of a listing with contracts. */
  readonly isListing: boolean
  readonly view: View
  readonly onView: (view: View) => void
}) => {
  const background = useBackground()
  useOtherAccount(state, () => onView(null))
  const acting = useChange(onState)
  const showing = useAction(onState)
  const origin = page?.url.origin ?? null
  const site = state.sites.find((known) => known.origin === origin) ?? null
  const isBare =
    view === null && !isListing && site?.isGranted === true && site.isOn && state.index.contracts > 0
  return (
    <>
      {view === null ? <ChangesEntry state={state} onOpen={() => onView("changes")} /> : null}
      {origin === null || view === "page" || view === "link" || view === "cards" ? null : (
        <OnPageEntry
          key={page?.url.href}
          site={site}
          isBare={isBare}
          onState={onState}
          onOpen={() => onView("page")}
        />
      )}
      {page === null || view !== null || site === null ? null : (
        <LinkEntry
          page={page}
          state={state}
          isBare={isBare}
          onLink={() => onView("link")}
          onCards={() => onView("cards")}
          onUnlink={() => acting.ask({ type: "page.linkPage", url: page.url.href, listing: null })}
        />
      )}
      <ErrorNotice error={showing.error ?? acting.error} />
      {origin === null || state.baseUrl === null ? null : (
        <SiteBar
          key={origin}
          origin={origin}
          site={site}
          onSwitch={(isOn) => acting.ask({ type: "page.switchSite", origin, isOn })}
          onAdd={() => void openSite(origin)}
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
