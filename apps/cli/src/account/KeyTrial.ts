/**
 * What an API key can do, found out with one small request for each endpoint. The two list endpoints need one scope each
 * (Spec: Authentication 2); which one `/v1/me/` needs is not shown (Spec: Endpoints 7).
 */
import { ServiceRequest } from "@deedkit/core"
import type { ClientError, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Catalogue from "../failure/Catalogue.ts"

/** How one endpoint answered. */
export interface Trial {
  readonly what: "me" | "contracts" | "API keys"
  readonly path: string
  /** The scope that it needs; null where the specification does not say. */
  readonly scope: string | null
  /** Null when it worked. */
  readonly error: ClientError.ClientError | null
}

/** These are about the connection or the service, not about the key, so further requests would not help. */
const endsAll: ReadonlySet<ClientError.ReasonTag> = new Set([
  "TransportFailed",
  "TimedOut",
  "NotTheApi",
  "Redirected",
  "RateLimited",
  "ServerFault",
  "ConfigInvalid",
])

const endpoints = ({ apiKeys, contracts, me }: PropertyClient.Service) => {
  const page = { limit: 1, onRejected: "collect", readAhead: 0 } as const
  return [
    { what: "me", ...ServiceRequest.me, works: Effect.asVoid(me) },
    {
      what: "contracts",
      ...ServiceRequest.contracts,
      works: Stream.runDrain(Stream.take(contracts.pages(page), 1)),
    },
    {
      what: "API keys",
      ...ServiceRequest.apiKeys,
      works: Stream.runDrain(Stream.take(apiKeys.pages(page), 1)),
    },
  ] as const
}

/** Whether an error says that the key was understood and lacks a scope. */
export const isForbidden = ({ error }: Trial): boolean => error?.reason._tag === "Forbidden"

/** The scopes that the specification names for endpoints which this key cannot use. */
export const missingScopes = (trials: ReadonlyArray<Trial>): ReadonlyArray<string> =>
  trials.filter(isForbidden).flatMap(({ scope }) => scope ?? [])

/** Why a key has no access at all; null when something works. A key that is not accepted is worse than a missing scope. */
export const failure = (trials: ReadonlyArray<Trial>): ClientError.ClientError | null => {
  const errors = trials.flatMap(({ error }) => error ?? [])
  if (errors.length < trials.length) return null
  return (
    errors.find(({ reason }) => reason._tag === "Unauthenticated") ??
    trials.find(({ what }) => what === "contracts")?.error ??
    null
  )
}

/** The first error that is not about a scope; null for none. */
export const unexpected = (trials: ReadonlyArray<Trial>): ClientError.ClientError | null =>
  trials.find((trial) => trial.error !== null && !isForbidden(trial))?.error ?? null

/** Tries the three endpoints. Fails when the service itself cannot be reached. */
export const run = (
  client: PropertyClient.Service,
): Effect.Effect<ReadonlyArray<Trial>, ClientError.ClientError> =>
  Effect.forEach(endpoints(client), ({ path, scope, what, works }) =>
    works.pipe(
      Effect.as<ClientError.ClientError | null>(null),
      Effect.catchIf(
        ({ reason }) => !endsAll.has(reason._tag),
        (error) => Effect.succeed(error),
      ),
      Effect.map((error): Trial => ({ what, path, scope, error })),
    ),
  )

/** The result of a trial as text. */
export const words = (trial: Trial): string => {
  const { error, scope } = trial
  if (error === null) return "works"
  if (isForbidden(trial)) {
    return scope === null
      ? "not allowed; the specification does not say which scope it needs"
      : `not allowed: the key lacks the scope ${scope}`
  }
  return `does not work: ${Catalogue.ofClient(error.reason).headline}`
}
