/**
 * The user's settings for the account in use, and those that all accounts share: address, sites, choices. It contains no secret.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as AccountList from "./AccountList.ts"
import type { SharedSettings, StoredAccount } from "./AccountList.ts"
import type { Links } from "../../messages/AppState.ts"
import { Account } from "../browser/Storage.ts"
import { Registry } from "./Registry.ts"

export type { NamedSite } from "./AccountList.ts"

export interface Profile extends SharedSettings, Pick<StoredAccount, "baseUrl" | "cursorParam"> {
  readonly links: Links
}

export const defaults: Profile = {
  ...AccountList.sharedDefaults,
  baseUrl: null,
  cursorParam: null,
  links: {},
}

export interface Service {
  readonly get: Effect.Effect<Profile>
  /** Changes the profile, one change after the other; returns the new one. */
  readonly update: (change: (profile: Profile) => Profile) => Effect.Effect<Profile>
}

const make = Effect.gen(function* () {
  const registry = yield* Registry
  const { id } = yield* Account

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
  return Profiles.of({
    get: Effect.map(registry.get, profileOf),
    update: (change) =>
      Effect.map(
        registry.update((list) => {
          const { baseUrl, cursorParam, links, settings, sites } = change(profileOf(list))
          const shared = { ...list, settings, sites }
          return AccountList.change(shared, id, (account) => ({ ...account, baseUrl, cursorParam, links }))
        }),
        profileOf,
      ),
  })
})

export class Profiles extends Context.Service<Profiles, Service>()("@deedkit/extension/Profiles") {
  static readonly make = make
}
