/**
 * The settings file: what a user takes to another browser. It holds choices, sites and accounts by name and address, and there is no place in
 * it for a key: a file with any member that is not named here is rejected.
 */
import { mostPatterns } from "../address/LinkPattern.ts"
import { accountLimits } from "./AccountMessage.ts"
import { mostLinks } from "./AppState.ts"
import type { AppState, Settings } from "./AppState.ts"
import { address, settings } from "./SettingsShape.ts"
import * as Shape from "./Shape.ts"

export interface SettingsFile {
  readonly format: "deedkit-settings"
  readonly version: 1
  readonly settings: Settings
  readonly sites: ReadonlyArray<{
    readonly origin: string
    readonly isOn: boolean
    readonly patterns: ReadonlyArray<string>
  }>
  readonly accounts: ReadonlyArray<{
    readonly name: string
    readonly baseUrl: string | null
    /** Pages that are linked to listings by hand. */
    readonly links?: ReadonlyArray<{ readonly address: string; readonly listing: number }>
  }>
}

const isSettingsFile: Shape.Shape<SettingsFile> = Shape.object({
  format: Shape.oneOf("deedkit-settings"),
  version: Shape.oneOf(1),
  settings: Shape.object(settings),
  sites: Shape.listOf(
    Shape.object({
      origin: address,
      isOn: Shape.yesOrNo,
      patterns: Shape.listOf(Shape.text(500), mostPatterns),
    }),
    1_000,
  ),
  accounts: Shape.listOf(
    Shape.object(
      { name: Shape.text(accountLimits.mostName), baseUrl: Shape.orNull(address) },
      { links: Shape.listOf(Shape.object({ address, listing: Shape.integer(0) }), 5 * mostLinks) },
    ),
    accountLimits.mostAccounts,
  ),
})

/** The file's text for a state, indented by two spaces, so that people can read what they hand on. */
export const write = (state: Pick<AppState, "settings" | "sites" | "accounts">): string => {
  const file: SettingsFile = {
    format: "deedkit-settings",
    version: 1,
    settings: state.settings,
    sites: state.sites.map(({ isOn, origin, patterns }) => ({ origin, isOn, patterns })),
    accounts: state.accounts.map(({ baseUrl, links = {}, name }) => ({
      name,
      baseUrl,
      ...(Object.keys(links).length === 0
        ? {}
        : { links: Object.entries(links).map(([address, listing]) => ({ address, listing })) }),
    })),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Reads a text as a settings file; null if it is not one, or says anything that a settings file does not say. */
export const read = (text: string): SettingsFile | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isSettingsFile(value) ? value : null
  } catch {
    return null
  }
}
