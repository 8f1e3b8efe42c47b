/**
 * The promise client open for builders: records decoded by their own Schema, further requests and lists. Made by `open(createClient(options))`.
 * Schemas are the only part of Effect that a program uses here.
 */
import type { JsonObject } from "../../answer/answer.ts"
import type { ApiKey } from "../../model/ApiKey.ts"
import type { Contract } from "../../model/Contract.ts"
import type { CallOptions } from "../../call/ClientOptions.ts"
import type { Abortable, Client, Collection, WithInternals } from "../../promise.ts"
import type { Operations } from "../Operations.ts"
import type { GetContractOptions } from "../Records.ts"
import type { CollectionDefinition, RequestDefinition } from "./Definition.ts"
import type { RequestOptions } from "./OpenOperations.ts"
import * as OpenOperations from "./OpenOperations.ts"
import type { Opening, OpenRecords } from "./OpenRecords.ts"
import type { Response } from "./Response.ts"
import type { Decoder } from "./SchemaDecoder.ts"

export type { JsonObject } from "../../answer/answer.ts"
export type { CollectionDefinition, Query, RequestDefinition } from "./Definition.ts"
export type { RequestOptions } from "./OpenOperations.ts"
export type { Response } from "./Response.ts"
export type { Decoder } from "./SchemaDecoder.ts"

/** The reading operations of one list, open for a builder's own Schema. */
export interface OpenCollection<A, GetOptions> extends Collection<A, GetOptions> {
  /**
   * The same operations with records decoded by this Schema. The Schema gets the record as the service sent it, after the check that it is as
   * specified. A record that it does not decode is rejected: `RecordInvalid` with the path of the issue, or, with `onRejected: "collect"`, in
   * the `rejected` of its page. Keep the returned object: identical calls at the same time share a request within it.
   */
  readonly as: <B>(schema: Decoder<B>) => OpenCollection<B, GetOptions>
  /** One record by id with request id, status, headers and attempts. Sends its own request. */
  readonly getResponse: (id: number, options?: GetOptions & Abortable) => Promise<Response<A>>
}

/** A client that is open for builders. Every rejection is a `ClientError`, or the reason of an aborted signal. */
export interface OpenClient extends Omit<Client, "contracts" | "apiKeys"> {
  readonly contracts: OpenCollection<Contract, GetContractOptions>
  readonly apiKeys: OpenCollection<ApiKey, CallOptions>
  /** Any GET of the service. Rejects with `ConfigInvalid` when path or query cannot work, and with `RecordInvalid` when the definition's Schema does not decode the answer. */
  readonly request: <A = JsonObject>(
    definition: RequestDefinition<A>,
    options?: RequestOptions & Abortable,
  ) => Promise<Response<A>>
  /** Another list of the service, with the same verification of the cursor, proof, checkpoints and recordings. Its name is its path and query. */
  readonly collection: <A>(
    definition: CollectionDefinition,
    schema: Decoder<A>,
  ) => OpenCollection<A, CallOptions>
}

/**
 * The open form of a client. Sends nothing. Closing either client closes both. Throws a `TypeError` for a client that `createClient` did not
 * make.
 */
export const open = (client: Client): OpenClient => {
  if (!hasInternals(client)) throw new TypeError("open() takes a client that createClient() made.")
  const { collection, run } = client.internals
  const operations = once(OpenOperations.of)

  const opened = <A, GetOptions>(
    of: (client: Operations) => Opening<A, GetOptions>,
  ): Pick<OpenCollection<A, GetOptions>, "as" | "getResponse"> => ({
    as: (schema) => decoded(once((client) => of(client).as(schema))),
    getResponse: (id, given) => {
      const { options, signal } = split(given)
      return run((client) => of(client).getResponse(id, options), signal)
    },
  })
  const decoded = <A, GetOptions>(
    of: (client: Operations) => OpenRecords<A, GetOptions>,
  ): OpenCollection<A, GetOptions> => ({ ...collection(of), ...opened(of) })

  return {
    ...client,
    contracts: { ...client.contracts, ...opened((made) => operations(made).contracts) },
    apiKeys: { ...client.apiKeys, ...opened((made) => operations(made).apiKeys) },
    request: (definition, given) => {
      const { options, signal } = split(given)
      return run((made) => operations(made).request(definition, options), signal)
    },
    collection: (definition, schema) =>
      decoded(once((made) => operations(made).collection(definition, schema))),
  }
}

const hasInternals = (client: Client): client is Client & WithInternals => "internals" in client

/** Makes the result from the first value and keeps it, because a client has one set of operations. */
const once = <A, B>(make: (from: A) => B): ((from: A) => B) => {
  let made: { readonly value: B } | null = null
  return (from) => (made ??= { value: make(from) }).value
}

/** Separates the signal, which operations do not take, from the other options. */
const split = <Options extends Abortable>(given: Options | undefined) => {
  const { signal, ...options } = { ...given }
  return { signal, options: options as Options }
}
