/**
 * Answers requests of the pages about accounts: everything that closes the account in use or opens another one, and which list of contracts an
 * account keeps.
 */
import * as Effect from "effect/Effect"
import { accountLimits } from "../messages/AccountMessage.ts"
import type { AccountRequest } from "../messages/AccountMessage.ts"
import { accountRequests } from "../messages/PageSchema.ts"
import type { AppState } from "../messages/AppState.ts"
import type { PageRequest } from "../messages/PageMessage.ts"
import * as SettingsFile from "../messages/SettingsFile.ts"
import { isUserError } from "../messages/UserError.ts"
import type { UserError } from "../messages/UserError.ts"
import * as Accounts from "./accounts/Accounts.ts"
import { checkedAddress } from "./connection/Connection.ts"
import { IndexSync } from "./sync/IndexSync.ts"
import type { OpenAccount } from "./OpenAccount.ts"
import { Platform } from "./browser/Platform.ts"
import { Refresh } from "./sync/Refresh.ts"
import { actionError } from "../failures/ActionFailure.ts"
import { Registry } from "./accounts/Registry.ts"
import type { Runtime } from "./Runtime.ts"
import type { SharedServices } from "./Services.ts"
import { Schedule } from "./sync/Schedule.ts"
import { SetUp } from "./requests/SetUp.ts"
import { isUsable, merge } from "./requests/SettingsImport.ts"
import { Sites } from "./sites/Sites.ts"
import { StateFeed } from "./requests/StateFeed.ts"

type AnyRequest = AccountRequest | Extract<PageRequest, { readonly type: "page.clear" }>

/** Work that is done while no account is open. */
type Change<A> = Effect.Effect<A, UserError, SharedServices>

export interface AccountRequests {
  readonly answer: (request: AnyRequest) => Promise<unknown>
  readonly state: () => Promise<AppState>
}

/** Whether a request is answered here. */
export const isOurs = (request: PageRequest): request is AnyRequest =>
  request.type === "page.clear" || Object.hasOwn(accountRequests, request.type)

/** Merges a settings file into the record of all accounts; fails and changes nothing unless every part of the file is valid and has room. */
const importSettings = (content: string): Change<void> =>
  Effect.gen(function* () {
    const { allowsLoopback, text } = yield* Platform
    const registry = yield* Registry
    const file = SettingsFile.read(content)
    if (file === null) return yield* Effect.fail(actionError(text, "FileInvalid"))
    const addresses = yield* Effect.forEach(file.accounts, ({ baseUrl }) =>
      baseUrl === null ? Effect.succeed(null) : checkedAddress(baseUrl, allowsLoopback),
    )
    const addressOf = (typed: string): string | null =>
      addresses[file.accounts.findIndex(({ baseUrl }) => baseUrl === typed)] ?? null
    if (!isUsable(file, addressOf, allowsLoopback)) {
      return yield* Effect.fail(actionError(text, "FilePartsInvalid"))
    }
    if (merge(yield* registry.get, file, addressOf) === null) {
      return yield* Effect.fail(actionError(text, "AccountsFull", [String(accountLimits.mostAccounts)]))
    }
    yield* registry.update((list) => merge(list, file, addressOf) ?? list)
    yield* Accounts.settleKeys
  })

/** Sets scripts, alarms and the sync as the account that is open now requires. */
const arrive = Effect.gen(function* () {
  const setUp = yield* SetUp
  yield* (yield* Sites).settle
  yield* (yield* Schedule).settle
  yield* setUp.resumeIfDue
  if ((yield* (yield* IndexSync).state)._tag === "Idle") yield* (yield* Refresh).recover
})

export const make = (
  shared: Runtime<SharedServices>,
  account: OpenAccount,
  /** Makes every page of a site ask anew. */
  tellTabs: () => Promise<void>,
): AccountRequests => {
  const state = async (): Promise<AppState> => {
    for (;;) {
      const open = await account.run(StateFeed.use((feed) => feed.state))
      if (open !== undefined) return open
    }
  }
  /** The result of a change, or the error that prevented it. */
  const outcome = <A>(change: Change<A>): Promise<A | UserError> =>
    shared.run(
      Effect.match(change, {
        onFailure: (error): A | UserError => error,
        onSuccess: (done): A | UserError => done,
      }),
    )
  /** Makes a change while no account is open, after which every page of a site asks anew. */
  const between = async <A>(change: Change<A>): Promise<A | UserError> => {
    const done = await account.change(() => outcome(change))
    if (!isUserError(done)) await tellTabs()
    void account.run(arrive).catch(() => {})
    return done
  }
  const stateAfter = async (done: Promise<UserError | void>): Promise<AppState | UserError> =>
    (await done) ?? state()

  const clear = async (): Promise<AppState> => {
    await account.runLast(SetUp.use((setUp) => setUp.clear))
    await account.change(() => outcome(Accounts.dropAll))
    return state()
  }

  return {
    state,
    answer: async (request) => {
      switch (request.type) {
        case "page.clear":
          return clear()
        case "page.addAccount":
          return stateAfter(between(Accounts.add(request.name)))
        case "page.renameAccount":
          return stateAfter(outcome(Accounts.rename(request.id, request.name)))
        case "page.switchAccount":
          return stateAfter(between(Accounts.choose(request.id)))
        case "page.removeAccount":
          return stateAfter(between(Accounts.remove(request.id)))
        case "page.decideList":
          await account.run(IndexSync.use(({ decide }) => decide(request.id, request.isUsed)))
          return state()
        case "page.importSettings":
          return stateAfter(between(importSettings(request.text)))
      }
    },
  }
}
