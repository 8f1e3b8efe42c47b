/** The one transport of the program, for everything that connects to the service: with the proxies of the environment. */
import type { Transport } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"

// Loaded on demand: Node's http module takes a fifth of the program's start time.
const load = Effect.promise(() => import("@deedkit/core/node"))

const refused = (cause: unknown): Failure =>
  usageError(
    cause instanceof Error ? cause.message.replace(/\.$/, "") : "The proxy cannot be used",
    "Correct the variable, or name the host in NO_PROXY.",
  )

const variablesOf = ({ proxies, rejectUnauthorized }: Variables) => ({
  ...proxies,
  NODE_TLS_REJECT_UNAUTHORIZED: rejectUnauthorized,
})

export const open = Effect.fnUntraced(function* (
  maxSockets?: number,
): Effect.fn.Return<Transport.Send, never, Scope.Scope | Environment> {
  const proxyEnv = variablesOf(yield* Environment)
  const node = yield* load
  const transport = yield* Effect.acquireRelease(
    Effect.sync(() => node.make({ maxSockets, proxyEnv })),
    ({ close }) => Effect.sync(close),
  )
  return transport.send
})

/** The proxy for an address, without user and password, and the variable that names it; null for a direct connection. */
export const proxyOf = Effect.fnUntraced(function* (
  url: string,
): Effect.fn.Return<{ readonly origin: string; readonly variable: string } | null, Failure, Environment> {
  const variables = yield* Environment
  if (!URL.canParse(url) || Object.keys(variables.proxies).length === 0) return null
  const { proxyFor } = yield* load
  return yield* Effect.try({ try: () => proxyFor(url, variablesOf(variables)), catch: refused })
})
