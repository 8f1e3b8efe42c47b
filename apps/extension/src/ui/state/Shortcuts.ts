/** The keyboard's shortcuts as the browser has them, and its own page for changing them. */
import { browser } from "wxt/browser"

export interface Shortcut {
  readonly name: string
  /** Such as `Alt+Shift+D`, in the browser's own words; empty when there are none. */
  readonly keys: string
}

/** Calls that only Firefox has. */
interface OfFirefox {
  readonly openShortcutSettings?: () => Promise<void>
}

const settingsPage = "chrome://extensions/shortcuts"

/** Whether the browser has shortcuts at all. That of a phone does not. */
export const areThere = (): boolean => browser.commands !== undefined

const all = async (): Promise<ReadonlyArray<Shortcut>> =>
  (await browser.commands.getAll()).map(({ name, shortcut }) => ({ name: name ?? "", keys: shortcut ?? "" }))

/** Hands the shortcuts out now, and each time that the page is looked at again: they are changed on another page. */
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
