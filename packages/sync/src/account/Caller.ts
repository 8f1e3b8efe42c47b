/** Asks the service who the caller is, so that two accounts are never mixed under one name (Spec: Endpoints 7). */
import type { PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { Identity } from "../mirror/Identity.ts"
import { identityOf } from "../mirror/Identity.ts"

/** Longest wait for the answer of `/v1/me/`. */
const mostSeconds = 10

/** What `/v1/me/` says about the caller; null if it says nothing, fails or is slow (Spec: Endpoints 7 leave shape and scope open). */
export const askIdentity = ({ me, redact }: PropertyClient.Service): Effect.Effect<Identity | null> =>
  me().pipe(
    Effect.map((answer) => identityOf(answer, redact)),
    Effect.map((identity) => (Object.keys(identity).length === 0 ? null : identity)),
    Effect.orElseSucceed(() => null),
    Effect.timeoutOrElse({ duration: `${mostSeconds} seconds`, orElse: () => Effect.succeed(null) }),
  )
