/**
 * The client: contracts, API-key metadata and `/v1/me/`.
 *
 * `make` checks the options, `layer` provides the client, `layerConfig` reads base URL and key from Effect's configuration. All
 * operations fail with one `ClientError`.
 */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Pull from "effect/Pull"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { StandardSchemaV1 } from "effect/StandardSchema"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { JsonObject } from "./internal/answer.ts"
import type * as ApiKey from "./ApiKey.ts"
import * as ClientConfig from "./ClientConfig.ts"
import type { CallOptions } from "./ClientConfig.ts"
import type { ClientError } from "./ClientError.ts"
import type { ClientEvent } from "./ClientEvent.ts"
import type * as Contract from "./Contract.ts"
import type { GetContractOptions, Records } from "./Records.ts"
import type { Page } from "./Page.ts"
import type { PagePuller } from "./internal/pages.ts"
import * as Operations from "./internal/operations.ts"
import type { PulledRecords } from "./internal/operations.ts"
import type * as request from "./internal/request.ts"
import * as spans from "./internal/spans.ts"

export type { CollectOptions, GetContractOptions, ListOptions, Records } from "./Records.ts"

export interface RequestOptions<A> extends Omit<request.RequestOptions<A>, "schema"> {
  /** Decodes the whole answer, `ok` included, without services and without waiting. Default: the JSON of the answer, with every integer exact. */
  readonly schema?: Schema.ConstraintDecoder<A> | undefined
}

/** The operations of a client. Each fails with `ClientError`. */
export interface Service extends Omit<Operations.Operations, "contracts" | "apiKeys" | "request"> {
  readonly contracts: Records<Contract.Contract, GetContractOptions>
  readonly apiKeys: Records<ApiKey.ApiKey, CallOptions>
  /**
   * Any GET request to the service, by its path below the base URL, like `/v1/listings/`: with the key, rate limiter, retries and errors of
   * the client. Returns the whole answer. Fails with `ConfigInvalid`, before anything is sent, when path or query cannot work, and with
   * `RecordInvalid` when the Schema does not decode the answer.
   */
  readonly request: <A = JsonObject>(
    path: string,
    options?: RequestOptions<A>,
  ) => Effect.Effect<A, ClientError>
  /** The events from now on, for as long as the stream runs. */
  readonly events: Stream.Stream<ClientEvent>
}

/** The client as a service of the environment. */
export class PropertyClient extends Context.Service<PropertyClient, Service>()(
  "@deedkit/core/PropertyClient",
) {}

/** Makes a client. Fails with `ConfigInvalid` when an option cannot work. Sends nothing. */
export const make = Effect.fnUntraced(function* (
  options: ClientConfig.ClientOptions,
): Effect.fn.Return<Service, ClientError> {
  const config = yield* ClientConfig.make(options)
  const operations = yield* Operations.make(config, listenerWarning, spans.make)
  return {
    ...operations,
    contracts: streamed(operations.contracts),
    apiKeys: streamed(operations.apiKeys),
    request: (path, options) =>
      operations.request(path, options && { ...options, schema: options.schema && standard(options.schema) }),
    events: eventsOf(operations.listen),
  }
})

/** A Schema as a Standard Schema. `Schema.toStandardSchemaV1` would bring all of Effect's conversions of schemas with it. */
const standard = <A>(schema: Schema.ConstraintDecoder<A>): StandardSchemaV1<unknown, A> => {
  const decode = SchemaParser.decodeUnknownExit(schema)
  const validate = (value: unknown): StandardSchemaV1.Result<A> => {
    const exit = decode(value)
    if (Exit.isSuccess(exit)) return { value: exit.value }
    const error = Cause.squash(exit.cause)
    // Anything else is an error of the program's own code, or of a Schema that waits.
    if (!SchemaIssue.isIssue(error)) throw error
    return SchemaIssue.makeFormatterStandardSchemaV1()(error)
  }
  return { "~standard": { version: 1, vendor: "effect", validate } }
}

/** The events that a listener would get while the stream runs. */
const eventsOf = (listen: Service["listen"]): Stream.Stream<ClientEvent> =>
  Stream.callback<ClientEvent>((queue) =>
    Effect.acquireRelease(
      Effect.sync(() => listen((event) => void Queue.offerUnsafe(queue, event))),
      (unlisten) => Effect.sync(unlisten),
    ),
  )

/**
 * Logs a listener's error as a warning through the loggers of the program that made the client. Console loggers write to standard error, because
 * standard output may be the program's data.
 */
const listenerWarning =
  (context: Context.Context<never>) =>
  (error: unknown, what: string): void => {
    const warning = Effect.logWarning(
      `A listener failed on ${what}. The call is not affected.`,
      Cause.die(error),
    )
    Effect.runForkWith(context)(Effect.provideService(warning, Logger.LogToStderr, true))
  }

const streamed = <A, GetOptions>(records: PulledRecords<A, GetOptions>): Records<A, GetOptions> => ({
  ...records,
  pages: (list) => streamOf(records.open(list), (page) => [page]),
  list: (list) => streamOf(records.open(list), (page) => page.records),
})

/**
 * A read as a stream. Every run of the stream is a separate read, which ends with the stream's scope. `give` selects what the consumer gets from a page, as one chunk; a page with
 * an empty chunk is skipped.
 */
const streamOf = <A, B, E>(
  open: Effect.Effect<PagePuller<A, E>, E>,
  give: (page: Page<A>) => ReadonlyArray<B>,
): Stream.Stream<B, E> =>
  Stream.fromChannel(
    Channel.fromTransform((_upstream: unknown, scope) =>
      Effect.flatMap(open, ({ close, next }) => {
        const pull: Pull.Pull<readonly [B, ...Array<B>], E> = Effect.flatMap(next, (page) => {
          if (page === null) return Cause.done()
          const chunk = give(page) as readonly [B, ...Array<B>]
          return chunk.length > 0 ? Effect.succeed(chunk) : pull
        })
        return Effect.as(Scope.addFinalizer(scope, close), pull)
      }),
    ),
  )

/** Provides the client. Fails with `ConfigInvalid` when an option cannot work. */
export const layer = (options: ClientConfig.ClientOptions): Layer.Layer<PropertyClient, ClientError> =>
  Layer.effect(PropertyClient, make(options))

/**
 * Provides the client from `DEEDKIT_BASE_URL`, `DEEDKIT_API_KEY` and, if set, `DEEDKIT_CURSOR_PARAM`, or any other configuration provider. Base
 * URL and key come only from there. `cursorParam` overrides `DEEDKIT_CURSOR_PARAM` when both are set. Fails with `ConfigError` when a setting is
 * missing, and with `ConfigInvalid` when a value cannot work.
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
