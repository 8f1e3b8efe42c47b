/**
 * Finds out what an API key can read, with one small request for each endpoint. The two list endpoints need one scope
 * each (Spec: Authentication 2); which one `/v1/me/` needs is not shown (Spec: Endpoints 7).
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Service } from "../PropertyClient.ts"
import type { Records } from "../Records.ts"
import type { ClientError } from "../ClientError.ts"
import { apiKeys, contracts, me } from "../internal/serviceRequest.ts"
import type { CollectionName } from "../internal/serviceRequest.ts"

export type Endpoint = "me" | CollectionName

/** All endpoints, in the order in which they are tried. @internal */
export const endpoints: ReadonlyArray<Endpoint> = ["me", "contracts", "api-keys"]

export interface Trial {
  readonly endpoint: Endpoint
  /** The scope that it needs; null where the specification does not say. */
  readonly scope: string | null
  readonly error: ClientError | null
}

type Trials = ReadonlyArray<Trial>

/** The part of a connection that an error is about. `answer`: one answer is not as specified. `pages`: the pages of a list do not follow each other. */
export type About = "connection" | "address" | "service" | "key" | "scope" | "answer" | "pages"

/**
 * What an error is about: no answer came, something other than the API answered, the service cannot be used now, the key, its scopes, or one
 * answer.
 */
export const about = ({ reason }: ClientError): About => {
  switch (reason._tag) {
    case "TransportFailed":
    case "TimedOut":
      return "connection"
    case "NotTheApi":
    case "Redirected":
    case "ConfigInvalid":
      return "address"
    case "RateLimited":
    case "ServerFault":
      return "service"
    case "Unauthenticated":
      return "key"
    case "Forbidden":
      return "scope"
    case "CursorIgnored":
    case "CursorRejected":
    case "PaginationStalled":
      return "pages"
    default:
      return "answer"
  }
}

/** Whether an error is about every endpoint, so that no other has to be tried. */
export const isOfAll = (error: ClientError): boolean =>
  ["connection", "address", "service"].includes(about(error))

/** The scopes that the specification names for endpoints which this key cannot read. */
export const missingScopes = (trials: Trials): ReadonlyArray<string> =>
  trials.flatMap(({ error, scope }) => (error?.reason._tag === "Forbidden" ? (scope ?? []) : []))

export const works = (trials: Trials, endpoint: Endpoint): boolean =>
  trials.some((trial) => trial.endpoint === endpoint && trial.error === null)

/** The error that ended the trials, because it is about every endpoint; null for none. */
export const ending = (trials: Trials): ClientError | null => {
  const error = trials.at(-1)?.error ?? null
  return error !== null && isOfAll(error) ? error : null
}

/** Why the service cannot be used; null when something works. A key that is not accepted is worse than a missing scope. */
export const failure = (trials: Trials): ClientError | null => {
  const end = ending(trials)
  const errors = trials.flatMap(({ error }) => error ?? [])
  if (end !== null || errors.length < trials.length) return end
  const ofContracts = trials.find(({ endpoint }) => endpoint === "contracts")?.error
  return errors.find((error) => about(error) === "key") ?? ofContracts ?? errors[0] ?? null
}

const scopes = { me: me.scope, contracts: contracts.scope, "api-keys": apiKeys.scope }

/** Tries one endpoint. @internal */
export const one = (client: Service, endpoint: Endpoint): Effect.Effect<Trial> => {
  const scope = scopes[endpoint]
  const list: Records<{ readonly id: number }, {}> =
    endpoint === "contracts" ? client.contracts : client.apiKeys
  const page = Stream.runHead(list.pages({ limit: 1, onRejected: "collect", readAhead: 0 }))
  const answer: Effect.Effect<unknown, ClientError> = endpoint === "me" ? client.me() : page
  return Effect.match(answer, {
    onFailure: (error) => ({ endpoint, scope, error }),
    onSuccess: () => ({ endpoint, scope, error: null }),
  })
}

/** Tries the endpoints one after the other, up to an error that is about all of them. */
export const run = (client: Service): Effect.Effect<Trials> =>
  Effect.gen(function* () {
    const trials: Array<Trial> = []
    for (const endpoint of endpoints) {
      trials.push(yield* one(client, endpoint))
      if (ending(trials) !== null) break
    }
    return trials
  })
