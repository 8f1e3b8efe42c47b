/**
 * Adds, renames, chooses and removes accounts in the record of all of them, with what belongs to each: database, key and grant. But for
 * `settleKeys`, it is called while no account is open.
 */
import * as Effect from "effect/Effect"
import { accountLimits } from "../../messages/AccountMessage.ts"
import { firstAccount, indexStores } from "../../index/Database.ts"
import type { UserError } from "../../messages/UserError.ts"
import * as AccountList from "./AccountList.ts"
import * as KeyPlace from "./KeyPlace.ts"
import { Platform } from "../browser/Platform.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import { Registry, releaseGrant } from "./Registry.ts"
import { Databases } from "../browser/Storage.ts"

/** Clears the alarms of the account in use; the next one sets its own. */
const clearAlarms = Effect.gen(function* () {
  const { alarms } = yield* Platform
  yield* Effect.promise(async () => {
    for (const name of ["sync", "resume", "recover"] as const) await alarms.clear(name)
  })
})

/** A name as it is stored; fails if there is none. */
const named = (typed: string): Effect.Effect<string, UserError, Platform> =>
  Effect.gen(function* () {
    const { text } = yield* Platform
    const name = AccountList.nameOf(typed)
    if (name !== "") return name
    return yield* Effect.fail(actionError(text, "AccountNameMissing"))
  })

/** Keeps the key of every account where the settings say. */
export const settleKeys = Effect.gen(function* () {
  const { accounts, settings } = yield* (yield* Registry).get
  const databaseOf = yield* Databases
  const { session } = yield* Platform
  yield* Effect.promise(async () => {
    for (const { baseUrl, id } of accounts) {
      if (baseUrl === null) continue
      const place = { account: id, store: databaseOf(id), session }
      await KeyPlace.settle(place, settings.keyStorage, new URL(baseUrl).origin)
    }
  })
})

/** Makes an account the one in use. An unknown id changes nothing. */
export const choose = (id: string) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const before = yield* registry.get
    if (before.current === id || AccountList.find(before, id) === null) return
    yield* clearAlarms
    yield* registry.update((list) => ({ ...list, current: id }))
  })

/** Adds an account, and makes it the one in use. */
export const add = (typed: string) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const { text } = yield* Platform
    const name = yield* named(typed)
    if ((yield* registry.get).accounts.length >= accountLimits.mostAccounts) {
      const most = String(accountLimits.mostAccounts)
      return yield* Effect.fail(actionError(text, "AccountsFull", [most]))
    }
    const account = AccountList.make(name, null)
    yield* clearAlarms
    yield* registry.update((list) => ({
      ...list,
      accounts: [...list.accounts, account],
      current: account.id,
    }))
  })

export const rename = (id: string, typed: string) =>
  Effect.gen(function* () {
    const name = yield* named(typed)
    yield* (yield* Registry).update((list) =>
      AccountList.change(list, id, (account) => ({ ...account, name })),
    )
  })

/** Removes the data of an account. The first account's database is only emptied, because it holds what all accounts share. */
const dropData = (id: string) =>
  Effect.gen(function* () {
    const store = yield* Effect.map(Databases, (databaseOf) => databaseOf(id))
    const { session } = yield* Platform
    yield* Effect.promise(async () => {
      await KeyPlace.drop({ account: id, store, session })
      if (id !== firstAccount) return store.destroy()
      await store.remove("settings", "lastFailure")
      await store.clear(...indexStores)
    })
  })

/** Removes an account with its key, its index and, if nothing else needs it, its grant. */
export const remove = (id: string) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const platform = yield* Platform
    const before = yield* registry.get
    const gone = AccountList.find(before, id)
    if (gone === null) return
    if (before.accounts.length === 1) {
      return yield* Effect.fail(actionError(platform.text, "LastAccount"))
    }
    if (before.current === id) yield* clearAlarms
    yield* dropData(id)
    yield* registry.update((list) => AccountList.without(list, id))
    if (gone.baseUrl !== null) yield* releaseGrant(registry, platform, new URL(gone.baseUrl).origin)
  })

/** Removes the data of every account; one account without any data is left. */
export const dropAll = Effect.gen(function* () {
  const registry = yield* Registry
  for (const { id } of (yield* registry.get).accounts) yield* dropData(id)
  yield* clearAlarms
  yield* registry.update(() => AccountList.defaults)
})
