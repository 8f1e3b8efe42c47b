/** No request can be sent: the address, the key, the permission or the passphrase is missing. The state says which. */
import * as Data from "effect/Data"
import type { Failure } from "../../failures/ConnectionFailure.ts"

export class NotReady extends Data.TaggedError("NotReady")<{ readonly state: Failure }> {}
