/**
 * The account in use: its database, its API key, its settings and those that all accounts share. With another account, this service and all that
 * need it are made anew. Encryption protects the key from scripts, from other extensions and from a search through the files, but not from someone
 * who reads the files with care: browsers save a key that cannot be exported among them, byte for byte (seen in Chromium 156 and Firefox 153).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ContractIndex from "../index/ContractIndex.ts"
import type { Database } from "../index/Database.ts"
import type { Links, Settings } from "../messages/AppState.ts"
import * as AccountList from "../index/AccountList.ts"
import { Accounts } from "./Accounts.ts"
import * as KeyPlace from "./KeyPlace.ts"
import { Platform, Changes, Databases } from "./Platform.ts"

export interface Profile
  extends AccountList.SharedSettings, Pick<AccountList.StoredAccount, "baseUrl" | "cursorParam"> {
  readonly links: Links
}

export const defaults: Profile = {
  ...AccountList.sharedDefaults,
  baseUrl: null,
  cursorParam: null,
  links: {},
}

interface StoredKey {
  readonly key: Redacted.Redacted
  /** The key's last four characters; null if that would reveal too much of it. */
  readonly hint: string | null
}

export interface Service {
  readonly id: string
  readonly store: Database
  /** Address, sites, choices. It contains no secret. */
  readonly profile: Effect.Effect<Profile>
  /** Changes the profile, one change after the other; returns the new one. */
  readonly update: (change: (profile: Profile) => Profile) => Effect.Effect<Profile>
  /** The key for this origin; null when there is none, or only one for another origin. */
  readonly key: (origin: string) => Effect.Effect<StoredKey | null>
  /** Replaces any existing key. */
  readonly setKey: (
    origin: string,
    key: Redacted.Redacted,
    storage: Settings["keyStorage"],
  ) => Effect.Effect<void>
  readonly forgetKey: Effect.Effect<void>
}

const leastHinted = 16

const hintOf = (key: string): string | null => (key.length < leastHinted ? null : key.slice(-4))

const make = (id: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const changes = yield* Changes
    const { session } = yield* Platform
    const { databaseOf } = yield* Databases
    const store = databaseOf(id)
    const place: KeyPlace.KeyPlace = { account: id, store, session }

    const profileOf = (list: AccountList.AccountList): Profile => {
      const account = AccountList.find(list, id)
      const { settings, sites } = list
      return {
        settings,
        sites,
        baseUrl: account?.baseUrl ?? null,
        cursorParam: account?.cursorParam ?? null,
        links: account?.links ?? {},
      }
    }
    return Account.of({
      id,
      store,
      profile: Effect.map(accounts.list, profileOf),
      update: (change) =>
        Effect.map(
          accounts.update((list) => {
            const { baseUrl, cursorParam, links, settings, sites } = change(profileOf(list))
            const shared = { ...list, settings, sites }
            return AccountList.change(shared, id, (account) => ({ ...account, baseUrl, cursorParam, links }))
          }),
          profileOf,
        ),
      key: (origin) =>
        Effect.promise(async () => {
          const key = await KeyPlace.read(place, origin)
          return key === null ? null : { key: Redacted.make(key, { label: "API key" }), hint: hintOf(key) }
        }),
      setKey: (origin, redacted, storage) =>
        Effect.promise(async () => {
          await KeyPlace.write(place, storage, origin, Redacted.value(redacted))
          changes.tell()
        }),
      forgetKey: Effect.promise(async () => {
        await KeyPlace.drop(place)
        changes.tell()
      }),
    })
  })

export class Account extends Context.Service<Account, Service>()("@deedkit/extension/Account") {
  static readonly layer = (id: string) => Layer.effect(Account, make(id))
}

/** The index of the account in use. */
export class Index extends Context.Service<Index, ContractIndex.ContractIndex>()("@deedkit/extension/Index") {
  static readonly layer = Layer.effect(
    Index,
    Account.useSync(({ store }) => ContractIndex.make(store)),
  )
}
