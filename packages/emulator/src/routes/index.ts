/** Every endpoint that answers. A new endpoint needs a file beside this one, a line in this list, and its name in `Exchange.ts`. */
import { apiKeys } from "./ApiKeys.ts"
import { contracts } from "./Contracts.ts"
import type { Endpoint, Route } from "./Exchange.ts"
import { me } from "./Me.ts"

export const routes: { readonly [E in Endpoint]: Route } = { "api-keys": apiKeys, contracts, me }
