/**
 * The popup: searching for contracts, one contract in full, and the current problem, if any. The list keeps its state while a contract is shown.
 */
import { useLayoutEffect, useState } from "preact/hooks"
import * as Advice from "../advice/Advice.ts"
import type { Step } from "../../failures/ConnectionFailure.ts"
import { later } from "../kit/Later.tsx"
import { useAppState, useBackground, useChange, useNow } from "../state/Live.ts"
import type { AppState } from "../../messages/AppState.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import * as Tab from "../state/Tab.ts"
import type { View } from "./Footer.tsx"
import { Lookup } from "./search/Lookup.tsx"
import { searchBoxId } from "./search/Rows.tsx"
import type { Found } from "./search/Rows.tsx"
import { useSubject } from "./search/Subject.ts"
import type { Subject } from "./search/Subject.ts"
import type { ComponentChildren } from "preact"
import * as Age from "../kit/Age.ts"
import { Mark } from "../kit/Icon.tsx"
import { plural, text } from "../kit/Message.ts"
import { IconButton } from "../kit/Button.tsx"
import { Moment } from "./detail/Words.tsx"

const SyncLine = later(() => import("../sync/SyncProgress.tsx").then((loaded) => loaded.SyncLine))

const Facts = ({ state, now }: { readonly state: AppState; readonly now: number }) => {
  const { completedAt, contracts, head } = state.index
  if (contracts === 0 && completedAt === null) return null
  const readAt = head?.readAt ?? completedAt
  const readName = !head?.readAt ? "popupReadAgo" : head.order === "new" ? "popupNewAgo" : "popupChangesAgo"
  return (
    <p class="header-facts">
      <span>{plural("popupContracts", contracts)}</span>
      {readAt === null ? null : <Moment of={readAt}>{text(readName, Age.age(readAt, now))}</Moment>}
    </p>
  )
}

/**
 * Whether a sync can start: none is running, and there is an address, a key, and permission to reach the service. A sync that waits for a retry can
 * retry at once.
 */
const canSync = ({ connection, sync }: AppState): boolean =>
  (sync._tag === "Idle" || sync.waiting?.reason === "retry") &&
  !["NoAddress", "NoKey", "NoPermission"].includes(connection._tag)

/** The popup's head: the number and age of the contracts, a button to read them again, the options, and a running sync. */
const Header = ({
  state,
  now,
  isBusy,
  onSync,
  onStop,
  children = null,
}: {
  readonly state: AppState | null
  readonly now: number
  readonly isBusy: boolean
  readonly onSync: () => void
  readonly onStop: () => void
  /** Content below the head, if any. */
  readonly children?: ComponentChildren
}) => (
  <header class="header">
    <Mark />
    <div class="header-words">
      <h1>{text("popupTitle")}</h1>
      {state === null ? null : <Facts state={state} now={now} />}
    </div>
    {state === null || !canSync(state) ? null : (
      <IconButton icon="refresh" name={text("commandSync")} isDisabled={isBusy} onPress={onSync} />
    )}
    <IconButton icon="settings" name={text("popupOptions")} onPress={() => void Tab.open("/options.html")} />
    {state?.sync._tag === "Syncing" ? <SyncLine sync={state.sync} now={now} onStop={onStop} /> : null}
    {children}
  </header>
)

const AccountBar = later(() => import("./AccountBar.tsx").then((loaded) => loaded.AccountBar))
const Aside = later(() => import("./Aside.tsx").then((loaded) => loaded.Aside))
const SmallerList = later(() => import("../sync/SmallerList.tsx").then((loaded) => loaded.SmallerList))
const Footer = later(() => import("./Footer.tsx").then((loaded) => loaded.Footer))

/** Changes whenever a new search could give another result. */
const revisionOf = (state: AppState | null): string =>
  state === null ? "" : state.account + JSON.stringify([state.index, state.accounts])

export const Popup = ({
  subject,
  begun = null,
}: {
  readonly subject: Subject
  /** The latest updates, if they are already known. */
  readonly begun?: Found | null
}) => {
  const background = useBackground()
  const [state, setState] = useAppState(begun !== null)
  const now = useNow()
  const acting = useChange(setState)
  const revision = revisionOf(state)
  const { here, page } = useSubject(background, subject, revision)
  const origin = page?.url.origin ?? null
  /** The view that replaces the list: a contract by its number, the listings of the page in front, or the changes. */
  const [view, setView] = useState<View>(
    subject._tag === "Contract" ? subject.id : subject._tag === "Changes" ? "changes" : null,
  )

  const take = (step: Step): void => {
    if (step === "sync") acting.ask({ type: "page.sync" })
    else void Tab.open(step === "setUp" ? "/welcome.html" : `/options.html#${step}`)
  }
  useLayoutEffect(() => {
    if (view === null) document.getElementById(searchBoxId)?.focus()
  }, [view])

  const advice = state === null ? null : Advice.of(state, now)
  return (
    <div
      class="popup"
      onKeyDown={(event) => {
        const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "checkbox"
        if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        setView(null)
        document.getElementById(searchBoxId)?.focus()
      }}
    >
      <Header
        state={state}
        now={now}
        isBusy={acting.isBusy}
        onSync={() => take("sync")}
        onStop={() => acting.ask({ type: "page.stopSync" })}
      >
        {state !== null && state.accounts.length > 1 ? <AccountBar state={state} onState={setState} /> : null}
      </Header>
      <ErrorNotice error={acting.error} />
      {state === null || state.index.smaller === null ? null : (
        <SmallerList state={state} now={now} onState={setState} />
      )}
      <main class="panes">
        {view === "link" || view === "cards" ? null : (
          <Lookup
            isHidden={view !== null}
            initial={subject._tag === "Search" ? subject.text : ""}
            begun={begun}
            state={state}
            advice={advice}
            here={here}
            origin={origin}
            now={now}
            revision={revision}
            onOpen={setView}
            onStep={take}
            onCommand={({ does }) => {
              if ("open" in does) void does.open()
              else acting.run(() => does.ask(background))
            }}
          />
        )}
        {view === null ? null : (
          <Aside
            view={view}
            page={page}
            state={state}
            now={now}
            revision={revision}
            onState={setState}
            onView={setView}
          />
        )}
      </main>
      {state === null ? null : (
        <Footer
          page={page}
          isListing={here !== null}
          state={state}
          view={view}
          onState={setState}
          onView={setView}
        />
      )}
    </div>
  )
}
