/**
 * The operations for builders, for both entries: records decoded by a Schema of their own, and requests and lists that the specification only
 * names (Spec: Endpoints 8). Everything uses the key, the rate limiter, the retries and the errors of one client.
 */
import * as Effect from "effect/Effect"
import type { Check } from "../../answer/Check.ts"
import type { Model } from "../../answer/envelope.ts"
import { idOf } from "../../answer/envelope.ts"
import type { JsonObject } from "../../answer/answer.ts"
import type { Caller } from "../../call/Caller.ts"
import type { CallOptions } from "../../call/ClientOptions.ts"
import { withCaller } from "../../call/withCaller.ts"
import { ClientError, configInvalid } from "../../error/ClientError.ts"
import type { ApiKey } from "../../model/ApiKey.ts"
import { integer, object } from "../../model/check.ts"
import type { Contract } from "../../model/Contract.ts"
import { stringify } from "../../model/Json.ts"
import * as ServiceRequest from "../../model/ServiceRequest.ts"
import { isTimestamp, sortKey } from "../../model/Timestamp.ts"
import type { Operations } from "../Operations.ts"
import type { GetContractOptions } from "../Records.ts"
import { candidates } from "../../pagination/reading/Probe.ts"
import type { CollectionDefinition, Pairs, Query, RequestDefinition } from "./Definition.ts"
import { readCollection, readRequest } from "./Definition.ts"
import type { Opening, OpenRecords } from "./OpenRecords.ts"
import { decoded, opening } from "./OpenRecords.ts"
import * as responses from "./Response.ts"
import type { Response } from "./Response.ts"
import type { Decoder } from "./SchemaDecoder.ts"
import * as SchemaDecoder from "./SchemaDecoder.ts"

/** The options of a request. */
export interface RequestOptions extends CallOptions {
  /** Parameters of this request, besides those of its definition. */
  readonly query?: Query | undefined
}

/** The open operations of a client. */
export interface OpenOperations {
  readonly contracts: Opening<Contract, GetContractOptions>
  readonly apiKeys: Opening<ApiKey, CallOptions>
  /**
   * Any GET request to the service. Fails with `ConfigInvalid`, before anything is sent, when path or query cannot work, and with
   * `RecordInvalid` when the definition's Schema does not decode the answer.
   */
  readonly request: <A = JsonObject>(
    definition: RequestDefinition<A>,
    options?: RequestOptions,
  ) => Effect.Effect<Response<A>, ClientError>
  readonly collection: <A>(
    definition: CollectionDefinition,
    schema: Decoder<A>,
  ) => OpenRecords<A, CallOptions>
}

/** Makes the open operations of a client. Sends nothing. @internal */
export const of = ({ config, internals }: Pick<Operations, "config" | "internals">): OpenOperations => {
  const [caller, keyFingerprint, contracts, apiKeys] = internals
  const parts = { caller, config, keyFingerprint }
  return {
    contracts: opening({ ...parts, collection: ServiceRequest.contracts, model: contracts }),
    apiKeys: opening({ ...parts, collection: ServiceRequest.apiKeys, model: apiKeys }),
    request: (definition, { query, ...options } = {}) =>
      Effect.suspend(() => {
        const request = readRequest(definition, query, config)
        if (request instanceof ClientError) return Effect.fail(request)
        const check = answerCheck(definition.schema, caller)
        return withCaller(
          caller,
          "call",
          options,
          (using) => responses.send(using, request, check),
          Effect.fail,
        )
      }),
    collection: (definition, schema) => {
      const read = readCollection(definition, config)
      if (read instanceof ClientError) return refused(read)
      return withOwnQuery(decoded({ ...parts, collection: read, model }, schema), read.query)
    },
  }
}

/** A record of which only the id is certain. */
interface Item {
  readonly id: number
}

const updated = (record: Item, member: "created_at" | "updated_at"): string => {
  const value = (record as Item & JsonObject)[member]
  return isTimestamp(value) ? sortKey(value) : ""
}

const item = object({ id: integer })

const model: Model<Item> = {
  is: (value): value is Item => idOf(value) !== null,
  issues: (value) => item(value, ""),
  hasOpenMembers: () => true,
  observe: () => {},
  createdAt: (record) => updated(record, "created_at"),
  updatedAt: (record) => updated(record, "updated_at"),
  version: stringify,
}

/** The answer unchanged, or decoded by its Schema. */
const answerCheck = <A>(schema: Decoder<A> | undefined, { redact }: Caller): Check<A> => {
  if (schema === undefined) return (_, exact) => ({ _tag: "Value", value: exact() as A })
  const decoder = SchemaDecoder.make(schema, redact)
  return (_, exact) => {
    const body = exact()
    return decoder.accepts(body)
      ? { _tag: "Value", value: decoder.decoded(body) }
      : { _tag: "Failed", reason: { _tag: "RecordInvalid", id: idOf(body), issues: decoder.issues(body) } }
  }
}

/** The list of a definition that cannot work: it sends no request. */
const refused = <A>(problem: ClientError): OpenRecords<A, CallOptions> => {
  const fail = () => Effect.fail(problem)
  return {
    open: fail,
    collect: fail,
    get: fail,
    getMany: fail,
    getResponse: fail,
    probeCursor: Effect.fail(problem),
    as: () => refused(problem),
  }
}

/** A list with its own parameters: a read of it cannot send the cursor in one of them. */
const withOwnQuery = <A>(list: OpenRecords<A, CallOptions>, query: Pairs): OpenRecords<A, CallOptions> => {
  const unless = <B>(cursorParam: string | undefined, read: () => Effect.Effect<B, ClientError>) => {
    const cursors = cursorParam === "auto" ? candidates : [cursorParam]
    const twice = query.find(([name]) => cursors.includes(name))
    return twice === undefined
      ? read()
      : Effect.fail(configInvalid(`query parameter ${twice[0]}`, "cannot take the cursor, too"))
  }
  return {
    ...list,
    open: (options) => unless(options?.cursorParam, () => list.open(options)),
    collect: (options) => unless(options.cursorParam, () => list.collect(options)),
    probeCursor: unless("auto", () => list.probeCursor),
    as: (schema) => withOwnQuery(list.as(schema), query),
  }
}
