/**
 * The operations of a list whose records are decoded by a builder's own Schema, for both entries. The read is the same as for every list: a
 * record that is not decoded counts as not as specified.
 */
import * as Effect from "effect/Effect"
import type { Model } from "../../answer/envelope.ts"
import { readRecord } from "../../answer/envelope.ts"
import type { Caller } from "../../call/Caller.ts"
import { withCaller } from "../../call/withCaller.ts"
import type { ClientConfig } from "../../call/ClientConfig.ts"
import type { ClientError } from "../../error/ClientError.ts"
import type { Collection } from "../../model/ServiceRequest.ts"
import * as ServiceRequest from "../../model/ServiceRequest.ts"
import type { Page } from "../../pagination/Page.ts"
import type { GetContractOptions } from "../Records.ts"
import type { PulledRecords } from "../recordsOf.ts"
import * as records from "../recordsOf.ts"
import type { Response } from "./Response.ts"
import * as responses from "./Response.ts"
import type { Decoder } from "./SchemaDecoder.ts"
import * as SchemaDecoder from "./SchemaDecoder.ts"

/** The operations that a list offers to builders. */
export interface Opening<A, GetOptions> {
  readonly as: <B>(schema: Decoder<B>) => OpenRecords<B, GetOptions>
  readonly getResponse: (id: number, options?: GetOptions) => Effect.Effect<Response<A>, ClientError>
}

/** The operations of a list with decoded records. */
export interface OpenRecords<A, GetOptions> extends PulledRecords<A, GetOptions>, Opening<A, GetOptions> {}

/** The parts from which a list is made. */
export interface Parts<Raw extends { readonly id: number }> {
  readonly caller: Caller
  readonly config: ClientConfig
  readonly keyFingerprint: string
  readonly collection: Collection
  readonly model: Model<Raw>
}

/** Opens a list whose records are unchanged from the service. */
export const opening = <Raw extends { readonly id: number }, GetOptions extends GetContractOptions>(
  parts: Parts<Raw>,
): Opening<Raw, GetOptions> => ({
  as: (schema) => decoded(parts, schema),
  getResponse: (id, options) => {
    const { caller, collection, model } = parts
    if (!ServiceRequest.isId(id)) return Effect.fail(records.badId(collection))
    const request = ServiceRequest.retrieve(collection, id, options)
    const send = (using: Caller) => responses.send(using, request, readRecord(collection, model, id))
    return withCaller(caller, "get", options, send, Effect.fail)
  },
})

/** Makes the operations with records decoded by this Schema. */
export const decoded = <Raw extends { readonly id: number }, A, GetOptions extends GetContractOptions>(
  parts: Parts<Raw>,
  schema: Decoder<A>,
): OpenRecords<A, GetOptions> => {
  const { caller, collection, config, keyFingerprint, model } = parts
  const decoder = SchemaDecoder.make(schema, caller.redact)
  const strict: Model<Raw> = {
    ...model,
    is: (value): value is Raw => model.is(value) && decoder.accepts(value),
    issues: (value) => {
      const found = model.issues(value)
      return found.length > 0 ? found : decoder.issues(value as object)
    },
  }
  const made = records.make<Raw, GetOptions>(caller, config, keyFingerprint, collection, strict)
  const raw = opening<Raw, GetOptions>({ ...parts, model: strict })
  const all = (given: ReadonlyArray<Raw>): ReadonlyArray<A> => given.map(decoder.decoded)
  const pageOf = (page: Page<Raw>): Page<A> => ({
    ...page,
    records: all(page.records),
    superseded: all(page.superseded),
  })
  return {
    ...made,
    open: (options) =>
      Effect.map(made.open(options), ({ close, next }) => ({
        next: Effect.map(next, (page) => page && pageOf(page)),
        close,
      })),
    collect: (options) => Effect.map(made.collect(options), all),
    get: (id, options) => Effect.map(made.get(id, options), decoder.decoded),
    getMany: (ids, options) =>
      Effect.map(made.getMany(ids, options), (lookups) =>
        lookups.map((lookup) =>
          lookup._tag === "Found" ? { ...lookup, record: decoder.decoded(lookup.record) } : lookup,
        ),
      ),
    as: (other) => decoded(parts, other),
    getResponse: (id, options) =>
      Effect.map(raw.getResponse(id, options), (response) => ({
        ...response,
        value: decoder.decoded(response.value),
      })),
  }
}
