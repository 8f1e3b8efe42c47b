/** The account that the services of the background are made for. With another account, they are made anew. */
import * as Context from "effect/Context"

export interface Service {
  readonly id: string
  /** The key that seals its API key; null if the browser's own means are enough, because there is no passphrase. */
  readonly sealing: CryptoKey | null
}

export class Account extends Context.Service<Account, Service>()("@deedkit/extension/Account") {}
