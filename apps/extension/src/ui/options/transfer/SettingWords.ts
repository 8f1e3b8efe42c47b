/** A setting that a settings file changes, in the words of its section. */
import type { Settings } from "../../../messages/AppState.ts"
import { intervalName } from "../../kit/Interval.ts"
import { text } from "../../kit/Message.ts"
import type { SettingChange } from "./SettingsChanges.ts"

const labels = {
  theme: "themeLabel",
  refreshMinutes: "intervalLabel",
  toolbarCount: "toolbarLabel",
  panel: "panelLabel",
  keyStorage: "keyStorageLabel",
} as const
const themes = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const
const panels = {
  pill: "panelPill",
  panel: "panelPanel",
  side: "panelSide",
  none: "panelNone",
} as const
const places = { device: "keyStorageDevice", session: "keyStorageSession" } as const

/** The value of each setting, in the words of its section. */
const words: { readonly [Name in keyof Settings]: (value: Settings[Name]) => string } = {
  theme: (theme) => text(themes[theme]),
  refreshMinutes: (minutes) => (minutes === null ? text("everyNever") : intervalName(minutes)),
  toolbarCount: (isShown) => text(isShown ? "transferShown" : "transferHidden"),
  panel: (panel) => text(panels[panel]),
  keyStorage: (place) => text(places[place]),
}
/** The new value and the current value. */
export const settingOf = <Name extends keyof Settings>({
  after,
  before,
  name,
}: SettingChange<Name>): string =>
  text("transferSetting", text(labels[name]), words[name](after), words[name](before))
