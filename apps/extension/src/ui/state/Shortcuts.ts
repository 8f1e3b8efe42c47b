/** The keyboard shortcuts as set in the browser, and its own page for changing them. */
import { browser } from "wxt/browser"

export interface Shortcut {
  readonly name: string
  /** Such as `Alt+Shift+D`, as the browser writes it; empty if there is none. */
  readonly keys: string
}

/** Functions that only Firefox has. */
interface OfFirefox {
  readonly openShortcutSettings?: () => Promise<void>
}

const settingsPage = "chrome://extensions/shortcuts"

/** Whether the browser supports shortcuts. Mobile browsers do not. */
export const areThere = (): boolean => browser.commands !== undefined

const all = async (): Promise<ReadonlyArray<Shortcut>> =>
  (await browser.commands.getAll()).map(({ name, shortcut }) => ({ name: name ?? "", keys: shortcut ?? "" }))

/** Passes on the shortcuts now and each time the page's window gets the focus, because they are changed on another page. */
export const watch = (onShortcuts: (shortcuts: ReadonlyArray<Shortcut>) => void): (() => void) => {
  const look = (): void => void all().then(onShortcuts, () => onShortcuts([]))
  look()
  addEventListener("focus", look)
  return () => removeEventListener("focus", look)
}

export const openSettings = async (): Promise<void> => {
  const { openShortcutSettings } = browser.commands as OfFirefox
  if (openShortcutSettings === undefined) await browser.tabs.create({ url: settingsPage })
  else await openShortcutSettings()
}
