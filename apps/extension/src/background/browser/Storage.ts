/**
 * The account in use, its database and its index as services. A failure of the browser's own storage is a defect: nothing that a user set can cause it, and
 * nothing here can fix it.
 */
import * as Context from "effect/Context"
import * as ContractIndex from "../../index/ContractIndex.ts"
import * as Effect from "effect/Effect"
import type { Database } from "../../index/Database.ts"

/** The database of each account, by its id: one object each, however often it is asked for. */
export class Databases extends Context.Service<Databases, (account: string) => Database>()(
  "@deedkit/extension/Databases",
) {}

/** The account that the services are made for. With another account, they are made anew. */
export class Account extends Context.Service<Account, { readonly id: string }>()(
  "@deedkit/extension/Account",
) {}

/** The database of the account in use. */
export class Store extends Context.Service<Store, Database>()("@deedkit/extension/Store") {}

/** The database that holds what all accounts share; the first account's own as well. */
export class SharedStore extends Context.Service<SharedStore, Database>()("@deedkit/extension/SharedStore") {}

export class Index extends Context.Service<Index, ContractIndex.ContractIndex>()("@deedkit/extension/Index") {
  static readonly make = Effect.map(Store, ContractIndex.make)
}
