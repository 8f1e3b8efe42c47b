/**
 * Any GET request to the service, for what the specification only names (Spec: Endpoints 8): its path and query, and the check of its answer.
 *
 * A path cannot lead the key to another origin or out of the base URL's path: it consists of plain segments below the version's prefix
 * (Spec: Versioning), and its query is percent-encoded.
 */
import * as Effect from "effect/Effect"
import type { StandardSchemaV1 } from "effect/StandardSchema"
import type { JsonObject, Check } from "./answer.ts"
import { idOf } from "./answer.ts"
import type { Caller } from "./call.ts"
import type { ClientConfig, CallOptions } from "../ClientConfig.ts"
import { withCaller } from "./call.ts"
import { ClientError, configInvalid } from "../ClientError.ts"
import type { Redact } from "./redaction.ts"
import type { Issue } from "./check.ts"
import { isObject, typeName } from "../Json.ts"
import type { ServiceRequest } from "./serviceRequest.ts"

/** The options of a request of the promise client. */
export interface RequestOptions<A> extends CallOptions {
  /** Query parameters by name. An undefined one is not sent. */
  readonly query?: { readonly [name: string]: string | number | undefined } | undefined
  /**
   * Decodes the whole answer, `ok` included. Any Standard Schema that does not wait; a Schema of Effect becomes one by
   * `Schema.toStandardSchemaV1`. Default: the JSON of the answer, with every integer exact.
   */
  readonly schema?: StandardSchemaV1<unknown, A> | undefined
}

/** Makes the operation `request`. */
export const make =
  (caller: Caller, config: ClientConfig) =>
  <A = JsonObject>(path: string, options: RequestOptions<A> = {}): Effect.Effect<A, ClientError> =>
    Effect.suspend(() =>
      withCaller(caller, "request", options, (using) => {
        const request = read(path, options.query, config)
        if (request instanceof ClientError) return Effect.fail(request)
        const check = checkOf(options.schema, caller.redact)
        return Effect.map(using.call(request, check, "interactive"), ({ value }) => value)
      }),
    )

/** The answer unchanged, or decoded. The texts of issues are redacted and cut, because they may quote the service. */
const checkOf = <A>(schema: StandardSchemaV1<unknown, A> | undefined, redact: Redact): Check<A> => {
  if (schema === undefined) return (_, exact) => ({ _tag: "Value", value: exact() as A })
  const text = (given: string): string => redact(given).toWellFormed().slice(0, 200)
  return (_, exact) => {
    const body = exact()
    const result = schema["~standard"].validate(body)
    if (result instanceof Promise) throw new TypeError("The schema of a request must not wait.")
    if (result.issues === undefined) return { _tag: "Value", value: result.value }
    const issues = result.issues.map(({ message, path = [] }): Issue => {
      const keys = path.map((part) => (typeof part === "object" ? part.key : part))
      return {
        path: text(pathText(keys)),
        expected: text(message === "Missing key" ? "present" : message.replace(/^Expected /, "")),
        found: typeName(at(body, keys)),
      }
    })
    return { _tag: "Failed", reason: { _tag: "RecordInvalid", id: idOf(body), issues } }
  }
}

/** `listing.photos[0]`. */
const pathText = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")

const at = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as { readonly [key: PropertyKey]: unknown })[key]
        : undefined,
    value,
  )

const plainPath = /^\/v\d+\/(?:[\w.~-]+\/)*[\w.~-]*$/
const parameterName = /^[\w.[\]-]+$/

const read = (path: unknown, query: unknown, { base }: ClientConfig): ServiceRequest | ClientError => {
  // A segment of dots would be resolved, which would change the URL.
  if (typeof path !== "string" || !plainPath.test(path) || new URL(base + path).href !== base + path) {
    return configInvalid(
      "path",
      'must begin with a version like /v1/ and hold only segments of letters, digits, "-", "_", "." and "~"',
    )
  }
  if (query !== undefined && !isObject(query))
    return configInvalid("query", "must be an object of parameters")
  const pairs: Array<readonly [name: string, value: string]> = []
  for (const [name, value] of Object.entries<unknown>(query ?? {})) {
    if (value === undefined) continue
    if (!parameterName.test(name)) return configInvalid("query", "has a name that is no parameter's name")
    if (!isValue(value)) return configInvalid(`query parameter ${name}`, "must be a text or a finite number")
    pairs.push([name, String(value)])
  }
  return {
    method: "GET",
    path,
    query: pairs,
    form: "free",
    scope: null,
    member: null,
    subject: "the answer",
  }
}

const isValue = (value: unknown): value is string | number =>
  (typeof value === "string" && value.isWellFormed()) || Number.isFinite(value)
