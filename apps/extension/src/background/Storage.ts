/**
 * The database and the index as services. A failure of the browser's own storage is a defect: nothing that a user set can cause it, and
 * nothing here can mend it.
 */
import * as Context from "effect/Context"
import * as ContractIndex from "../index/ContractIndex.ts"
import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import type { Database } from "../index/Database.ts"

export class Store extends Context.Service<Store, Database>()("@deedkit/extension/Store") {}

export class Index extends Context.Service<Index, ContractIndex.ContractIndex>()("@deedkit/extension/Index") {
  static readonly layer = Layer.effect(Index, Effect.map(Store, ContractIndex.make))
}
