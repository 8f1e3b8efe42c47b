/** The account that the services of the background are made for. With another account, they are made anew. */
import * as Context from "effect/Context"

export interface Service {
  readonly id: string
}

export class Account extends Context.Service<Account, Service>()("@deedkit/extension/Account") {}
