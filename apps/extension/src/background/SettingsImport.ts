/**
 * Merges a settings file into the record of all accounts. Accounts and sites are added and never removed: an existing address keeps its key and
 * its index. Every part of the file has to be valid, or nothing of it is imported. Grants are not in the file; the browser is asked for each.
 */
import { accountLimits, mostLinks } from "../messages/AppState.ts"
import * as Effect from "effect/Effect"
import { isPattern, linkableAddress } from "../address/Reference.ts"
import { originOf } from "../messages/OriginPattern.ts"
import * as SettingsFile from "../messages/SettingsFile.ts"
import * as AccountList from "../index/AccountList.ts"
import { Accounts } from "./Accounts.ts"
import { Platform, refuse } from "./Platform.ts"
import { checkedAddress } from "./ServiceClient.ts"

/** Returns an address as it is stored; null for a text that is not an address. */
type AddressOf = (typed: string) => string | null

/** Whether every site, pattern and address that a file names can be used. */
const isUsable = (file: SettingsFile.SettingsFile, addressOf: AddressOf, allowsLoopback: boolean): boolean =>
  file.sites.every(
    ({ origin, patterns }) => originOf(origin, allowsLoopback) === origin && patterns.every(isPattern),
  ) &&
  file.accounts.every(
    ({ baseUrl, links = [] }) =>
      (baseUrl === null || addressOf(baseUrl) !== null) && links.every(({ address }) => isLinkable(address)),
  )

const isLinkable = (address: string): boolean =>
  /^https?:/.test(address) && URL.canParse(address) && linkableAddress(new URL(address)) === address

/** How many there can be of what has no room. */
const most = { AccountsFull: accountLimits.mostAccounts, LinksFull: mostLinks } as const

/** The list with the contents of a usable file, or what there is no room for. */
const merge = (
  before: AccountList.AccountList,
  file: SettingsFile.SettingsFile,
  addressOf: AddressOf,
): AccountList.AccountList | keyof typeof most => {
  const sites = new Map(before.sites.map((site) => [site.origin, site]))
  // The place of a site's panel stays this browser's own.
  for (const site of file.sites) sites.set(site.origin, { ...sites.get(site.origin), ...site })
  let accounts = [...before.accounts]
  for (const { baseUrl, links = [], name: named } of file.accounts) {
    const address = baseUrl === null ? null : addressOf(baseUrl)
    if (address === null) continue
    const known =
      accounts.find((account) => account.baseUrl === address) ??
      accounts.find((account) => account.baseUrl === null)
    if (known === undefined && accounts.length >= most.AccountsFull) return "AccountsFull"
    const name = AccountList.nameOf(named)
    const filled = { ...(known ?? AccountList.make(name)), baseUrl: address }
    const linked = {
      ...filled.links,
      ...Object.fromEntries(links.map((link) => [link.address, link.listing])),
    }
    if (Object.keys(linked).length > most.LinksFull) return "LinksFull"
    const entry = {
      ...filled,
      name: filled.name === "" && known?.baseUrl !== address ? name : filled.name,
      ...(links.length === 0 ? {} : { links: linked }),
    }
    accounts = known === undefined ? [...accounts, entry] : accounts.map((a) => (a === known ? entry : a))
  }
  return { ...before, accounts, sites: [...sites.values()], settings: file.settings }
}

/** Reads the text of a settings file; fails if it is not one. */
export const readSettings = (content: string) =>
  Effect.suspend(() => {
    const file = SettingsFile.read(content)
    return file === null ? refuse("FileInvalid") : Effect.succeed(file)
  })

/** Imports the text of a settings file; fails and changes nothing unless every part of the file is valid and has room. */
export const importSettings = Effect.fnUntraced(function* (content: string) {
  const { allowsLoopback } = yield* Platform
  const accounts = yield* Accounts
  const file = yield* readSettings(content)
  const addresses = yield* Effect.forEach(file.accounts, ({ baseUrl }) =>
    baseUrl === null ? Effect.succeed(null) : checkedAddress(baseUrl, allowsLoopback),
  )
  const addressOf = (typed: string): string | null =>
    addresses[file.accounts.findIndex(({ baseUrl }) => baseUrl === typed)] ?? null
  if (!isUsable(file, addressOf, allowsLoopback)) {
    return yield* refuse("FilePartsInvalid")
  }
  const merged = merge(yield* accounts.list, file, addressOf)
  if (typeof merged === "string") return yield* refuse(merged, String(most[merged]))
  yield* accounts.update((list) => {
    const latest = merge(list, file, addressOf)
    return typeof latest === "string" ? list : latest
  })
  yield* accounts.settleKeys
})
