/**
 * What a settings file changes in the record of all accounts. Accounts and sites are added and never removed: an address that is there keeps its
 * key and its index. What the file names has to be right in every part, or nothing of it is imported. Grants are not in it; the browser is asked
 * for each. Pure.
 */
import { accountLimits } from "../../messages/AccountMessage.ts"
import { originOf } from "../../messages/OriginPattern.ts"
import type { SettingsFile } from "../../messages/SettingsFile.ts"
import * as AccountList from "../accounts/AccountList.ts"
import { isPattern } from "../sites/PageAddress.ts"

export interface Merged {
  readonly list: AccountList.AccountList
  /** Accounts that there was no room for. */
  readonly leftOut: number
}

/** Gives an address as it is kept; null for what is none. */
type AddressOf = (typed: string) => string | null

/** Whether every site, pattern and address that a file names can be used. */
export const isUsable = (file: SettingsFile, addressOf: AddressOf, allowsLoopback: boolean): boolean =>
  file.sites.every(
    ({ origin, patterns }) => originOf(origin, allowsLoopback) === origin && patterns.every(isPattern),
  ) && file.accounts.every(({ baseUrl }) => baseUrl === null || addressOf(baseUrl) !== null)

/** The list with what a usable file has. */
export const merge = (before: AccountList.AccountList, file: SettingsFile, addressOf: AddressOf): Merged => {
  const sites = new Map(before.sites.map((site) => [site.origin, site]))
  // Where its panel stands is this browser's own.
  for (const site of file.sites) sites.set(site.origin, { ...sites.get(site.origin), ...site })
  let accounts = [...before.accounts]
  let leftOut = 0
  for (const { baseUrl, name: named } of file.accounts) {
    const address = baseUrl === null ? null : addressOf(baseUrl)
    if (address === null || accounts.some((account) => account.baseUrl === address)) continue
    const empty = accounts.find((account) => account.baseUrl === null)
    if (empty === undefined && accounts.length >= accountLimits.mostAccounts) {
      leftOut += 1
      continue
    }
    const name = AccountList.nameOf(named)
    const filled = { ...(empty ?? AccountList.make(name, null)), baseUrl: address }
    const entry = filled.name === "" ? { ...filled, name } : filled
    accounts = empty === undefined ? [...accounts, entry] : accounts.map((a) => (a === empty ? entry : a))
  }
  return { list: { ...before, accounts, sites: [...sites.values()], settings: file.settings }, leftOut }
}
