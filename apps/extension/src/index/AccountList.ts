/**
 * What the extension keeps of all accounts in one record: each with its name, address and cursor parameter, which one is in use, and what they
 * share. Pure.
 */
import { firstAccount } from "./Database.ts"
import type { Account, Links, Settings, Site } from "../messages/AppState.ts"

/** A site that the user named; whether the browser still grants it is asked of the browser. */
export type NamedSite = Omit<Site, "isGranted">

/** What all accounts share. */
export interface SharedSettings {
  readonly sites: ReadonlyArray<NamedSite>
  readonly settings: Settings
}

export interface StoredAccount extends Account {
  /** The parameter that takes the cursor, once it was verified for this address (Spec: Endpoints 5 does not show it). */
  readonly cursorParam: string | null
}

export interface AccountList extends SharedSettings {
  /** At least one. */
  readonly accounts: ReadonlyArray<StoredAccount>
  readonly current: string
}

export const sharedDefaults: SharedSettings = {
  sites: [],
  settings: { theme: "system", refreshMinutes: 60, toolbarCount: true, pill: true, keyStorage: "device" },
}

const first: StoredAccount = { id: firstAccount, name: "", baseUrl: null, cursorParam: null }

/** Its name in the database of the first account. */
export const key = "profile"

export const defaults: AccountList = { ...sharedDefaults, accounts: [first], current: firstAccount }

/** Reads the stored record, with the defaults of what it does not have. */
export const read = (kept: unknown): AccountList => {
  const record = (kept ?? {}) as Partial<AccountList>
  return { ...defaults, ...record, settings: { ...defaults.settings, ...record.settings } }
}

export const find = ({ accounts }: AccountList, id: string): StoredAccount | null =>
  accounts.find((account) => account.id === id) ?? null

/** A name as it is stored: without invisible characters that control text or its direction, and without blanks at its ends. */
export const nameOf = (typed: string): string => typed.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "").trim()

/** The list with one account changed. A removed account stays removed. */
export const change = (
  list: AccountList,
  id: string,
  changed: (account: StoredAccount) => StoredAccount,
): AccountList => ({
  ...list,
  accounts: list.accounts.map((account) => (account.id === id ? changed(account) : account)),
})

/** A new account. Its id names its database and says nothing else. */
export const make = (name: string): StoredAccount => ({
  id: crypto.randomUUID(),
  name,
  baseUrl: null,
  cursorParam: null,
})

/** The list without one account, and with another one in use if it was that one. The last account stays. */
export const without = (list: AccountList, id: string): AccountList => {
  const [next, ...others] = list.accounts.filter((account) => account.id !== id)
  if (next === undefined) return list
  return { ...list, accounts: [next, ...others], current: list.current === id ? next.id : list.current }
}

/** The list without a site, and without its pages that an account has linked to listings. */
export const withoutSite = (list: AccountList, origin: string): AccountList => {
  const elsewhere = (links: Links): Links =>
    Object.fromEntries(Object.entries(links).filter(([address]) => !address.startsWith(`${origin}/`)))
  return {
    ...list,
    sites: list.sites.filter((site) => site.origin !== origin),
    accounts: list.accounts.map(({ links, ...account }) =>
      links === undefined ? account : { ...account, links: elsewhere(links) },
    ),
  }
}

/** The origins for which anything in the list needs a grant. */
export const origins = ({ accounts, sites }: AccountList): ReadonlyArray<string> => [
  ...sites.map(({ origin }) => origin),
  ...accounts.flatMap(({ baseUrl }) => (baseUrl === null ? [] : [new URL(baseUrl).origin])),
]
