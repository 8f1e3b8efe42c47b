/**
 * The keyboard shortcuts of the extension, except the one that opens its popup, which the browser handles. A shortcut that cannot do anything
 * at this moment opens the page on which the user can do something about it.
 */
import type { Background } from "../background/Background.ts"
import { isUserError } from "../messages/PageMessage.ts"
import type { UserError } from "../messages/PageMessage.ts"
import { originOf } from "../messages/OriginPattern.ts"
import type { FrontTab, Shell } from "./Shell.ts"

export type Ask = Background["ask"]

/** Whether an answer is what was asked for, and not an error. */
const isGiven = <A>(answer: A | UserError | null): answer is Exclude<A, UserError> =>
  answer !== null && !isUserError(answer)

/** Names in the manifest; the first is the browser's own. */
export const commandNames = ["_execute_action", "toggle-badges", "sync", "open-export"] as const

export type CommandName = (typeof commandNames)[number]

/** Shows or hides the badges of the site in front; on one that was not added, shows them on this page once. */
const toggleBadges = async (
  ask: Ask,
  { open }: Pick<Shell, "open">,
  tab: FrontTab | null,
  allowsLoopback: boolean,
): Promise<void> => {
  const origin = tab?.url == null ? null : originOf(tab.url, allowsLoopback)
  if (tab === null || origin === null) return open("/options.html#sites")
  const state = await ask({ type: "page.state" })
  if (!isGiven(state)) return
  const site = state.sites.find((known) => known.origin === origin)
  if (site?.isGranted === true) {
    await ask({ type: "page.switchSite", origin, isOn: !site.isOn })
    return
  }
  if (isGiven(await ask({ type: "page.showOnce", tabId: tab.id, origin }))) return
  return open(`/options.html?site=${encodeURIComponent(origin)}#sites`)
}

/** The last toggle. The next one waits for it, and toggles the state that it left. */
let toggle: Promise<void> = Promise.resolve()

export const run = async (
  ask: Ask,
  shell: Pick<Shell, "open">,
  name: string,
  tab: FrontTab | null,
  allowsLoopback = false,
): Promise<void> => {
  switch (name) {
    case "toggle-badges":
      toggle = toggle.catch(() => {}).then(() => toggleBadges(ask, shell, tab, allowsLoopback))
      return toggle
    case "sync":
      await ask({ type: "page.sync" })
      return
    case "open-export":
      return shell.open("/export.html")
  }
}
