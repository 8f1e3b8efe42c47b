/**
 * The record of all accounts, and what belongs to each: database, key and grant. The record is in the extension's database and not in the browser's
 * extension storage, which Firefox shows to content scripts. It contains no secret. Accounts are chosen and removed while none is open.
 */
import { accountLimits } from "../messages/AppState.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { actionError } from "../failures/ActionFailure.ts"
import { firstAccount, indexStores } from "../index/Database.ts"
import { patternOf } from "../messages/OriginPattern.ts"
import type { UserError } from "../messages/PageMessage.ts"
import * as AccountList from "../index/AccountList.ts"
import * as KeyPlace from "./KeyPlace.ts"
import { Platform, Changes, Databases } from "./Platform.ts"

const make = Effect.gen(function* () {
  const { databaseOf } = yield* Databases
  const changes = yield* Changes
  const { alarms, release, session, text } = yield* Platform
  const store = databaseOf(firstAccount)
  const oneAtATime = yield* Semaphore.make(1)
  let known: AccountList.AccountList | null = null

  const list = Effect.promise(async () => {
    known ??= AccountList.read(await store.get("settings", AccountList.key))
    return known
  })
  /** Changes the record, one change after the other; returns the new one. */
  const update = (change: (list: AccountList.AccountList) => AccountList.AccountList) =>
    oneAtATime.withPermit(
      Effect.flatMap(list, (before) =>
        Effect.promise(async () => {
          const after = change(before)
          await store.put("settings", AccountList.key, after)
          known = after
          changes.tell()
          return after
        }),
      ),
    )

  /** Clears the alarms of the account in use; the next one sets its own. */
  const clearAlarms = Effect.promise(async () => {
    for (const name of ["sync", "resume", "recover"] as const) await alarms.clear(name)
  })

  /** A name as it is stored; fails if there is none. */
  const named = (typed: string): Effect.Effect<string, UserError> => {
    const name = AccountList.nameOf(typed)
    return name === "" ? Effect.fail(actionError(text, "AccountNameMissing")) : Effect.succeed(name)
  }

  /** Removes the data of an account. The first account's database is only emptied, because it holds what all accounts share. */
  const dropData = (id: string) =>
    Effect.promise(async () => {
      const own = databaseOf(id)
      await KeyPlace.drop({ account: id, store: own, session })
      if (id !== firstAccount) return own.destroy()
      await own.remove("settings", "lastFailure")
      await own.clear(...indexStores)
    })

  /** Releases the grant of an origin, unless something in the record needs it. */
  const releaseGrant = (origin: string) =>
    Effect.flatMap(list, (known) => {
      const pattern = patternOf(origin)
      const isNeeded = AccountList.origins(known).map(patternOf).includes(pattern)
      return isNeeded ? Effect.void : Effect.promise(() => release({ origins: [pattern] }))
    })

  return {
    list,
    update,
    releaseGrant,
    /** Adds an account. The one in use stays in use. */
    add: (typed: string) =>
      Effect.gen(function* () {
        const name = yield* named(typed)
        if ((yield* list).accounts.length >= accountLimits.mostAccounts) {
          const most = String(accountLimits.mostAccounts)
          return yield* Effect.fail(actionError(text, "AccountsFull", [most]))
        }
        const account = AccountList.make(name)
        yield* update((before) => ({ ...before, accounts: [...before.accounts, account] }))
      }),
    rename: (id: string, typed: string) =>
      Effect.gen(function* () {
        const name = yield* named(typed)
        yield* update((before) => AccountList.change(before, id, (account) => ({ ...account, name })))
      }),
    /** Makes an account the one in use. An unknown id changes nothing. */
    choose: (id: string) =>
      Effect.gen(function* () {
        const before = yield* list
        if (before.current === id || AccountList.find(before, id) === null) return
        yield* clearAlarms
        yield* update((latest) => ({ ...latest, current: id }))
      }),
    /** Removes an account with its key, its index and, if nothing else needs it, its grant. */
    remove: (id: string) =>
      Effect.gen(function* () {
        const before = yield* list
        const gone = AccountList.find(before, id)
        if (gone === null) return
        if (before.accounts.length === 1) return yield* Effect.fail(actionError(text, "LastAccount"))
        if (before.current === id) yield* clearAlarms
        yield* dropData(id)
        yield* update((latest) => AccountList.without(latest, id))
        if (gone.baseUrl !== null) yield* releaseGrant(new URL(gone.baseUrl).origin)
      }),
    /** Removes the data of every account; one account without any data is left. */
    dropAll: Effect.gen(function* () {
      for (const { id } of (yield* list).accounts) yield* dropData(id)
      yield* clearAlarms
      yield* update(() => AccountList.defaults)
    }),
    /** Keeps the key of every account where the settings say. */
    settleKeys: Effect.flatMap(list, ({ accounts, settings }) =>
      Effect.promise(async () => {
        for (const { baseUrl, id } of accounts) {
          if (baseUrl === null) continue
          const place = { account: id, store: databaseOf(id), session }
          await KeyPlace.settle(place, settings.keyStorage, new URL(baseUrl).origin)
        }
      }),
    ),
  }
})

export class Accounts extends Context.Service<Accounts, Effect.Success<typeof make>>()(
  "@deedkit/extension/Accounts",
) {
  static readonly layer = Layer.effect(Accounts, make)
}
