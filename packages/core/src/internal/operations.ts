/**
 * The operations of a client, from which both entries make their streams or promises: its collections, `/v1/me/` and its listeners, made from
 * checked options. It imports no stream, logger or tracer, which would be in the bundle of every program that uses the promise entry.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as ApiKey from "../ApiKey.ts"
import * as ClientConfig from "../ClientConfig.ts"
import type { CallOptions } from "../ClientOptions.ts"
import type { JsonObject, Check } from "./answer.ts"
import type { ClientError } from "../ClientError.ts"
import * as Contract from "../Contract.ts"
import * as Caller from "./call.ts"
import * as schemaDrift from "./schemaDrift.ts"
import type { Model } from "./envelope.ts"
import * as RateLimiter from "../RateLimiter.ts"
import * as Listeners from "./listeners.ts"
import * as records from "./recordsOf.ts"
import type { RequestOptions } from "./request.ts"
import * as request from "./request.ts"
import * as Json from "../Json.ts"
import type { Me } from "../Me.ts"
import type { GetContractOptions } from "../Records.ts"
import * as ServiceRequest from "./serviceRequest.ts"
import { sortKey } from "../Timestamp.ts"
import { Transport } from "../Transport.ts"

/** The operations of a client. */
export interface Operations {
  readonly contracts: records.PulledRecords<Contract.Contract, GetContractOptions>
  readonly apiKeys: records.PulledRecords<ApiKey.ApiKey, CallOptions>
  readonly me: (options?: CallOptions) => Effect.Effect<Me, ClientError>
  /**
   * Any GET request to the service, by its path below the base URL, like `/v1/listings/`: with the key, rate limiter, retries and errors of
   * the client. Returns the whole answer. Fails with `ConfigInvalid`, before anything is sent, when path or query cannot work, and with
   * `RecordInvalid` when the Schema does not decode the answer.
   */
  readonly request: <A = JsonObject>(
    path: string,
    options?: RequestOptions<A>,
  ) => Effect.Effect<A, ClientError>
  readonly listen: Listeners.Listeners["add"]
  readonly redact: (text: string) => string
  readonly config: ClientConfig.ClientConfig
}

const isAnything: Check<Me> = (_, exact) => ({ _tag: "Value", value: exact() as Me })

/**
 * Makes the operations. Fails with `ConfigInvalid` when an option cannot work. Sends nothing. `reporter` makes the function that takes a
 * listener's error, from the context of the program. `makeSpans` makes spans; null for none.
 */
export const make = (
  options: ClientConfig.ClientOptions,
  reporter: (context: Context.Context<never>) => (error: unknown, what: string) => void,
  makeSpans: Caller.MakeSpans | null,
): Effect.Effect<Operations, ClientError> =>
  Effect.gen(function* () {
    const config = yield* ClientConfig.make(options)
    const send = yield* Transport
    const keyFingerprint = yield* Effect.promise(() =>
      fingerprint(config.origin, Redacted.value(config.apiKey)),
    )
    const report = reporter(yield* Effect.context())
    const listeners = Listeners.make((error, { _tag }) => report(error, _tag))
    const clock = yield* Effect.clockWith(Effect.succeed)
    const rateLimiter = RateLimiter.ofKey(keyFingerprint, config.rate, clock)
    const caller = Caller.make(config, send, rateLimiter, clock, listeners, makeSpans)
    const contractModel: Model<Contract.Contract> = {
      is: Contract.isContract,
      issues: Contract.issues,
      hasOpenMembers: schemaDrift.hasOpenContractMembers,
      observe: schemaDrift.contracts(caller.emit, caller.redact),
      createdAt: (contract) => sortKey(contract.created_at),
      updatedAt: (contract) => sortKey(contract.updated_at),
      version: (contract) => contract.updated_at,
    }
    const apiKeyModel: Model<ApiKey.ApiKey> = {
      is: ApiKey.isApiKey,
      issues: ApiKey.issues,
      hasOpenMembers: schemaDrift.hasOpenKeyMembers,
      observe: schemaDrift.apiKeys(caller.emit, caller.redact),
      createdAt: (key) => sortKey(key.created_at),
      updatedAt: () => "",
      version: Json.stringify,
    }
    return {
      contracts: records.make(caller, config, keyFingerprint, ServiceRequest.contracts, contractModel),
      apiKeys: records.make(caller, config, keyFingerprint, ServiceRequest.apiKeys, apiKeyModel),
      me: (options) => {
        const ask = (using: Caller.Caller) =>
          Effect.map(using.call(ServiceRequest.me, isAnything, "interactive"), ({ value }) => value)
        return Caller.withCaller(caller, "call", options, ask, Effect.fail)
      },
      request: request.make(caller, config),
      listen: listeners.add,
      redact: caller.redact,
      config,
    }
  })

/**
 * Distinguishes two keys of one origin without storing either: the first 64 bits of a SHA-256 over origin and key. A random key cannot be
 * recovered from it, and it differs for each origin.
 */
const fingerprint = async (origin: string, key: string): Promise<string> => {
  const bytes = new TextEncoder().encode(`deedkit ${origin} ${key}`)
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
