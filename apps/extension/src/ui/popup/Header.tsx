/** The popup's head: the number and age of the contracts, a button to read them again, the options, and a running sync. */
import type { ComponentChildren } from "preact"
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { Mark } from "../kit/Icon.tsx"
import { later } from "../kit/Later.tsx"
import { plural, text } from "../kit/Message.ts"
import * as Tab from "../state/Tab.ts"
import { IconButton } from "../kit/IconButton.tsx"
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
  !["NoAddress", "NoKey", "Locked", "NoPermission"].includes(connection._tag)

export const Header = ({
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
