/**
 * What a settings file changes in the record of all accounts. It adds and never takes away: an address that is there keeps its key and its index.
 * What it names has to be right in every part, or nothing of it is taken over. Grants are not in it; the browser is asked for each. Pure.
 */
import type { Imported } from "../messages/AccountMessage.ts"
import { accountLimits } from "../messages/AccountMessage.ts"
import { originOf } from "../messages/OriginPattern.ts"
import type { SettingsFile } from "../messages/SettingsFile.ts"
import * as AccountList from "./AccountList.ts"
import { isPattern } from "./PageAddress.ts"

export interface Merged {
  readonly list: AccountList.AccountList
  readonly imported: Imported
}

type FileSite = SettingsFile["sites"][number]

const isSite = ({ origin, patterns }: FileSite, allowsLoopback: boolean): boolean =>
  originOf(origin, allowsLoopback) === origin && patterns.every(isPattern)

const isSame = (one: FileSite, other: FileSite): boolean =>
  one.isOn === other.isOn && one.patterns.join("\n") === other.patterns.join("\n")

/**
 * The list with the file taken over. `addressOf` gives an address as it is kept, null for what is none. Null when the file names a site, a
 * pattern or an address that cannot be.
 */
export const merge = (
  before: AccountList.AccountList,
  file: SettingsFile,
  addressOf: (typed: string) => string | null,
  allowsLoopback: boolean,
): Merged | null => {
  if (!file.sites.every((site) => isSite(site, allowsLoopback))) return null
  const sites = new Map(before.sites.map((site) => [site.origin, site]))
  const counts = { sites: 0, sitesChanged: 0, accounts: 0, accountsKnown: 0 }
  for (const site of file.sites) {
    const known = sites.get(site.origin)
    if (known === undefined) counts.sites += 1
    else if (!isSame(known, site)) counts.sitesChanged += 1
    sites.set(site.origin, site)
  }
  let accounts = [...before.accounts]
  for (const { baseUrl, name } of file.accounts) {
    if (baseUrl === null) continue
    const address = addressOf(baseUrl)
    if (address === null) return null
    if (accounts.some((account) => account.baseUrl === address)) {
      counts.accountsKnown += 1
      continue
    }
    const empty = accounts.find((account) => account.baseUrl === null)
    if (empty === undefined && accounts.length >= accountLimits.mostAccounts) continue
    counts.accounts += 1
    const filled = { ...(empty ?? AccountList.make(name, null)), baseUrl: address }
    const entry = filled.name === "" ? { ...filled, name } : filled
    accounts = empty === undefined ? [...accounts, entry] : accounts.map((a) => (a === empty ? entry : a))
  }
  return {
    list: { ...before, accounts, sites: [...sites.values()], settings: file.settings },
    imported: counts,
  }
}
