/**
 * The client: contracts, API-key metadata and `/v1/me/`.
 *
 * `make` checks the options, `layer` provides the client, `layerConfig` reads base URL and key from Effect's configuration. All
 * operations fail with one `ClientError`.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import * as ApiKey from "../model/ApiKey.ts"
import * as ClientConfig from "../call/ClientConfig.ts"
import type { CallOptions } from "../call/ClientOptions.ts"
import type { Check } from "../answer/Check.ts"
import type { ClientError } from "../error/ClientError.ts"
import { withCaller } from "../call/withCaller.ts"
import type { ClientEvent, Listener } from "../events/ClientEvent.ts"
import * as Contract from "../model/Contract.ts"
import * as Caller from "../call/Caller.ts"
import * as schemaDrift from "../answer/schemaDrift.ts"
import type { Model } from "../answer/envelope.ts"
import * as events from "../events/events.ts"
import { fingerprint } from "../call/fingerprint.ts"
import { rateLimiterOf } from "../call/rateLimiters.ts"
import { listenerWarning } from "../events/listenerWarning.ts"
import * as Listeners from "../events/Listeners.ts"
import * as records from "./recordsOf.ts"
import * as Json from "../model/Json.ts"
import type { Me } from "../model/Me.ts"
import type { GetContractOptions, Records } from "./Records.ts"
import * as ServiceRequest from "../model/ServiceRequest.ts"
import { sortKey } from "../model/Timestamp.ts"
import { Transport } from "../transport/Transport.ts"

export type { CollectOptions, GetContractOptions, ListOptions, Records } from "./Records.ts"

/** The operations of a client. Each fails with `ClientError`. */
export interface Service {
  readonly contracts: Records<Contract.Contract, GetContractOptions>
  readonly apiKeys: Records<ApiKey.ApiKey, CallOptions>
  /** The account of the key: JSON of unknown shape (Spec: Endpoints 7). */
  readonly me: (options?: CallOptions) => Effect.Effect<Me, ClientError>
  /** The events from now on, for as long as the stream runs. */
  readonly events: Stream.Stream<ClientEvent>
  /** Calls the listener with every event from now on; the returned function removes it. A listener that throws affects no call; see `Listener`. */
  readonly listen: (listener: Listener) => () => void
  /**
   * Removes the key, and every run of 8 or more characters of it, from a text of the service. Errors and events are redacted already; use it
   * before showing or storing other text of an answer.
   */
  readonly redact: (text: string) => string
  readonly config: ClientConfig.ClientConfig
}

/** The client as a service of the environment. */
export class PropertyClient extends Context.Service<PropertyClient, Service>()(
  "@deedkit/core/PropertyClient",
) {}

const isAnything: Check<Me> = (_, exact) => ({ _tag: "Value", value: exact() as Me })

/** Makes a client. Fails with `ConfigInvalid` when an option cannot work. Sends nothing. */
export const make = (options: ClientConfig.ClientOptions): Effect.Effect<Service, ClientError> =>
  Effect.gen(function* () {
    const config = yield* ClientConfig.make(options)
    const send = yield* Transport
    const keyFingerprint = yield* Effect.promise(() =>
      fingerprint(config.origin, Redacted.value(config.apiKey)),
    )
    const warn = listenerWarning(yield* Effect.context())
    const listeners = Listeners.make((error, { _tag }) => warn(error, _tag))
    const clock = yield* Effect.clockWith(Effect.succeed)
    const caller = Caller.make(
      config,
      send,
      rateLimiterOf(clock, keyFingerprint, config.rate),
      clock,
      listeners,
    )
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
      version: (key) => Json.stringify(key),
    }
    return PropertyClient.of({
      contracts: records.make(caller, config, keyFingerprint, ServiceRequest.contracts, contractModel),
      apiKeys: records.make(caller, config, keyFingerprint, ServiceRequest.apiKeys, apiKeyModel),
      me: (options) => {
        const ask = (using: Caller.Caller) =>
          Effect.map(using.call(ServiceRequest.me, isAnything, "interactive"), ({ value }) => value)
        return withCaller(caller, "call", options, ask, Effect.fail)
      },
      events: events.streamOf(listeners),
      listen: listeners.add,
      redact: caller.redact,
      config,
    })
  })

/** Provides the client. Fails with `ConfigInvalid` when an option cannot work. */
export const layer = (options: ClientConfig.ClientOptions): Layer.Layer<PropertyClient, ClientError> =>
  Layer.effect(PropertyClient, make(options))

/**
 * Provides the client from `DEEDKIT_BASE_URL`, `DEEDKIT_API_KEY` and, if set, `DEEDKIT_CURSOR_PARAM`, or any other configuration provider.
 * Base URL and key come from there only. `cursorParam` wins over `DEEDKIT_CURSOR_PARAM` when both are set. Fails with `ConfigError` when a
 * setting is missing, and with `ConfigInvalid` when a value cannot work.
 */
export const layerConfig = (
  options: Omit<ClientConfig.ClientOptions, "baseUrl" | "apiKey"> = {},
): Layer.Layer<PropertyClient, ClientError | Config.ConfigError> =>
  Layer.effect(
    PropertyClient,
    Effect.flatMap(
      Config.all({
        baseUrl: Config.String("BASE_URL"),
        apiKey: Config.Redacted("API_KEY"),
        cursorParam: Config.String("CURSOR_PARAM").pipe(Config.withDefault(undefined)),
      }).pipe(Config.nested("DEEDKIT")),
      ({ apiKey, baseUrl, cursorParam }) =>
        make({ ...options, apiKey, baseUrl, cursorParam: options.cursorParam ?? cursorParam }),
    ),
  )
