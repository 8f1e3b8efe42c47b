/**
 * The changes that a settings file would make, computed by comparing the current settings with the result: everything that the background would
 * import is included. Pure.
 */
import type { SettingsPreview } from "../../../messages/AccountMessage.ts"
import type { Account, AppState, Settings } from "../../../messages/AppState.ts"

export interface SiteChange {
  readonly origin: string
  readonly isNew: boolean
  /** Whether badges would be shown; null for no change. */
  readonly isOn: boolean | null
  readonly patternsAdded: ReadonlyArray<string>
  readonly patternsRemoved: ReadonlyArray<string>
}

export interface SettingChange<Name extends keyof Settings = keyof Settings> {
  readonly name: Name
  readonly before: Settings[Name]
  readonly after: Settings[Name]
}

export interface SettingsChanges {
  readonly accounts: ReadonlyArray<Account & { readonly isNew: boolean }>
  readonly sites: ReadonlyArray<SiteChange>
  readonly settings: ReadonlyArray<SettingChange>
  /** Origins that the changes need permission for, without duplicates. */
  readonly origins: ReadonlyArray<string>
}

const without = (patterns: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(patterns)].filter((pattern) => !others.includes(pattern))

type Shared = Pick<AppState, "accounts" | "sites" | "settings">

export const between = (before: Shared, after: Omit<SettingsPreview, "leftOut">): SettingsChanges => {
  const accounts = after.accounts.flatMap((account) => {
    const known = before.accounts.find(({ id }) => id === account.id)
    const isSame = known?.baseUrl === account.baseUrl && known.name === account.name
    return isSame ? [] : [{ ...account, isNew: known === undefined }]
  })
  const sites = after.sites.flatMap(({ isOn, origin, patterns }) => {
    const known = before.sites.find((site) => site.origin === origin)
    const change: SiteChange = {
      origin,
      isNew: known === undefined,
      isOn: known?.isOn === isOn ? null : isOn,
      patternsAdded: without(patterns, known?.patterns ?? []),
      patternsRemoved: without(known?.patterns ?? [], patterns),
    }
    const { isNew, patternsAdded, patternsRemoved } = change
    const isChanged = isNew || change.isOn !== null || patternsAdded.length + patternsRemoved.length > 0
    return isChanged ? [change] : []
  })
  const names = Object.keys(after.settings) as ReadonlyArray<keyof Settings>
  const settings = names.flatMap((name) =>
    before.settings[name] === after.settings[name]
      ? []
      : [{ name, before: before.settings[name], after: after.settings[name] }],
  )
  const addresses = accounts.flatMap(({ baseUrl }) => (baseUrl === null ? [] : [new URL(baseUrl).origin]))
  return {
    accounts,
    sites,
    settings,
    origins: [...new Set([...addresses, ...sites.map(({ origin }) => origin)])],
  }
}

export const isNone = ({ accounts, settings, sites }: SettingsChanges): boolean =>
  accounts.length + settings.length + sites.length === 0
