/**
 * A client open for builders: records decoded by a Schema of their own, and requests and lists that the specification only names
 * (Spec: Endpoints 8). `OpenClient.of(client)` is made from a `PropertyClient`, and uses its key, rate limiter, retries and errors.
 *
 * It is a separate entry, so that programs that read only contracts and API keys do not include it.
 */
import type * as Effect from "effect/Effect"
import type { CallOptions } from "../../call/ClientOptions.ts"
import type { ClientError } from "../../error/ClientError.ts"
import type { ApiKey } from "../../model/ApiKey.ts"
import type { Contract } from "../../model/Contract.ts"
import type * as PropertyClient from "../PropertyClient.ts"
import { streamed } from "../PropertyClient.ts"
import type { GetContractOptions, Records } from "../Records.ts"
import type { CollectionDefinition } from "./Definition.ts"
import * as OpenOperations from "./OpenOperations.ts"
import type * as Pulled from "./OpenRecords.ts"
import type { Response } from "./Response.ts"
import type { Decoder } from "./SchemaDecoder.ts"

export type { CollectionDefinition, Query, RequestDefinition } from "./Definition.ts"
export type { RequestOptions } from "./OpenOperations.ts"
export type { Response } from "./Response.ts"
export type { Decoder } from "./SchemaDecoder.ts"

/** The reading operations of one list, open for a builder's own Schema. */
export interface OpenRecords<A, GetOptions> extends Records<A, GetOptions> {
  /**
   * The same operations with records decoded by this Schema. The Schema gets the record as the service sent it, after the check that it is as
   * specified. A record that it does not decode is rejected: `RecordInvalid` with the path of the issue, or, with `onRejected: "collect"`, in
   * the `rejected` of its page. Checkpoints and recordings stay those of the list. Keep the returned object: identical calls at the same time
   * share a request within it.
   */
  readonly as: <B>(schema: Decoder<B>) => OpenRecords<B, GetOptions>
  /** One record by id with request id, status, headers and attempts. Sends its own request. */
  readonly getResponse: (id: number, options?: GetOptions) => Effect.Effect<Response<A>, ClientError>
}

/** The operations of a client that is open for builders. Each fails with `ClientError`. */
export interface Service
  extends
    Omit<PropertyClient.Service, "contracts" | "apiKeys">,
    Pick<OpenOperations.OpenOperations, "request"> {
  readonly contracts: OpenRecords<Contract, GetContractOptions>
  readonly apiKeys: OpenRecords<ApiKey, CallOptions>
  /**
   * Another list of the service, with the same verification of the cursor, proof, checkpoints and recordings. Its name, in summaries, events
   * and checkpoints, is its path and query. Each operation fails with `ConfigInvalid` when the definition cannot work.
   */
  readonly collection: <A>(
    definition: CollectionDefinition,
    schema: Decoder<A>,
  ) => OpenRecords<A, CallOptions>
}

/** The open form of a client. Sends nothing. */
export const of = (client: PropertyClient.Service): Service => {
  const { apiKeys, collection, contracts, request } = OpenOperations.of(client)
  return {
    ...client,
    contracts: { ...client.contracts, ...contracts, as: (schema) => open(contracts.as(schema)) },
    apiKeys: { ...client.apiKeys, ...apiKeys, as: (schema) => open(apiKeys.as(schema)) },
    request,
    collection: (definition, schema) => open(collection(definition, schema)),
  }
}

const open = <A, GetOptions>(records: Pulled.OpenRecords<A, GetOptions>): OpenRecords<A, GetOptions> => ({
  ...streamed(records),
  as: (schema) => open(records.as(schema)),
  getResponse: records.getResponse,
})
