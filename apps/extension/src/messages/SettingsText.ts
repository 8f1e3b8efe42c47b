/** Writes the settings file: see `SettingsFile.ts`, which reads it. */
import type { AppState } from "./AppState.ts"
import type { SettingsFile } from "./SettingsFile.ts"

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
