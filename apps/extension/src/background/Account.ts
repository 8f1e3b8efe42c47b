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

const leastHinted = 16

/** The key's last four characters; null if that would reveal too much of it. */
const hintOf = (key: string): string | null => (key.length < leastHinted ? null : key.slice(-4))

const make = Effect.fnUntraced(function* (id: string) {
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
  return {
    id,
    store,
    /** Address, sites, choices. It contains no secret. */
    profile: Effect.map(accounts.list, profileOf),
    /** Changes the profile, one change after the other; returns the new one. */
    update: (change: (profile: Profile) => Profile) =>
      Effect.map(
        accounts.update((list) => {
          const { baseUrl, cursorParam, links, settings, sites } = change(profileOf(list))
          const shared = { ...list, settings, sites }
          return AccountList.change(shared, id, (account) => ({ ...account, baseUrl, cursorParam, links }))
        }),
        profileOf,
      ),
    /** The key for this origin with its hint; null when there is none, or only one for another origin. */
    key: (origin: string) =>
      Effect.promise(async () => {
        const key = await KeyPlace.read(place, origin)
        return key === null ? null : { key: Redacted.make(key, { label: "API key" }), hint: hintOf(key) }
      }),
    /** Replaces any existing key. */
    setKey: (origin: string, redacted: Redacted.Redacted, storage: Settings["keyStorage"]) =>
      Effect.promise(async () => {
        await KeyPlace.write(place, storage, origin, Redacted.value(redacted))
        changes.tell()
      }),
    forgetKey: Effect.promise(async () => {
      await KeyPlace.drop(place)
      changes.tell()
    }),
  }
})

export class Account extends Context.Service<Account, Effect.Success<ReturnType<typeof make>>>()(
  "@deedkit/extension/Account",
) {
  static readonly layer = (id: string) => Layer.effect(Account, make(id))
}

/** The index of the account in use: `ContractReads.ts` is what it reads, `ContractIndex.ts` what it writes. */
export class Index extends Context.Service<Index, ContractIndex.ContractIndex>()("@deedkit/extension/Index") {
  static readonly layer = Layer.effect(
    Index,
    Account.useSync(({ store }) => ContractIndex.make(store)),
  )
}
