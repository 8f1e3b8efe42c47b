/**
 * Requests and lists of the service that the specification only names (Spec: Endpoints 8), as values, and their check.
 *
 * A definition cannot send the key to another origin or outside the base URL's path: its path consists of plain segments below the version's
 * prefix (Spec: Versioning), and its query is percent-encoded. Values are read once, so that exactly the checked values are sent.
 */
import type { ClientConfig } from "../../call/ClientConfig.ts"
import type { ClientError } from "../../error/ClientError.ts"
import { configInvalid } from "../../error/ClientError.ts"
import type { Collection, ServiceRequest } from "../../model/ServiceRequest.ts"
import { target } from "../../model/ServiceRequest.ts"
import { candidates } from "../../pagination/reading/Probe.ts"
import type { Decoder } from "./SchemaDecoder.ts"

/** Query parameters by name. An undefined one is not sent. */
export interface Query {
  readonly [name: string]: string | number | bigint | boolean | undefined
}

/** The members that a request and a list have in common. */
interface Definition {
  /** Path below the base URL, like `/v1/listings/`: letters, digits, `-`, `_`, `.` and `~` between slashes. */
  readonly path: string
  /** Parameters of every request. */
  readonly query?: Query | undefined
  /** The scope that a 403 names. Default null: not known. */
  readonly scope?: string | null | undefined
}

/** A GET request to the service. Its answer is an object with `ok: true` (Spec: Endpoints). */
export interface RequestDefinition<A> extends Definition {
  /** What is requested, for messages. Default `the answer`. */
  readonly subject?: string | undefined
  /** Decodes the whole answer, `ok` included. Default: the answer unchanged, with every integer exact. */
  readonly schema?: Decoder<A> | undefined
}

/** A list in the envelope `{ ok, items, next_before_id }`, whose records have an integer `id` and are retrieved by `?id=`. */
export interface CollectionDefinition extends Definition {
  /** Member that holds the record in the answer to `?id=`, like `listing`. */
  readonly member: string
  /** The name of one record in messages. Default `record`. */
  readonly noun?: string | undefined
}

/** Parameters in the order in which they are sent. */
export type Pairs = ServiceRequest["query"]

const plainPath = /^\/v\d+\/(?:[\w.~-]+\/)*[\w.~-]*$/
const parameterName = /^[\w.[\]-]+$/

const readPath = (path: unknown, { base }: ClientConfig): string | ClientError => {
  const isPlain = typeof path === "string" && plainPath.test(path)
  // A segment of dots would be resolved, which would change the URL.
  if (isPlain && new URL(base + path).href === base + path) return path
  return configInvalid(
    "path",
    'must begin with a version like /v1/ and hold only segments of letters, digits, "-", "_", "." and "~"',
  )
}

const isValue = (value: unknown): value is string | number | bigint | boolean =>
  (typeof value === "string" && value.isWellFormed()) ||
  (typeof value === "number" && Number.isFinite(value)) ||
  typeof value === "bigint" ||
  typeof value === "boolean"

/** Reads parameters; none of them may be among `taken`. */
const readQuery = (query: Query | undefined, taken: ReadonlyArray<string>): Pairs | ClientError => {
  const pairs: Array<readonly [name: string, value: string]> = []
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue
    if (!parameterName.test(name)) return configInvalid("query", "has a name that is no parameter's name")
    if (taken.includes(name))
      return configInvalid(`query parameter ${name}`, "is set by the client or given twice")
    if (!isValue(value))
      return configInvalid(`query parameter ${name}`, "must be a text, a finite number or a boolean")
    pairs.push([name, String(value)])
  }
  return pairs
}

/** The request of a definition, with the parameters of this call. */
export const readRequest = (
  definition: RequestDefinition<unknown>,
  query: Query | undefined,
  config: ClientConfig,
): ServiceRequest | ClientError => {
  const path = readPath(definition.path, config)
  if (typeof path !== "string") return path
  const fixed = readQuery(definition.query, [])
  if (!isPairs(fixed)) return fixed
  const given = readQuery(
    query,
    fixed.map(([name]) => name),
  )
  if (!isPairs(given)) return given
  const { scope = null, subject = "the answer" } = definition
  return { method: "GET", path, query: [...fixed, ...given], form: "free", scope, member: null, subject }
}

/** A list of the service. Its name is its path and query, so that a checkpoint belongs only to this list. */
export const readCollection = (
  definition: CollectionDefinition,
  config: ClientConfig,
): (Collection & { readonly query: Pairs }) | ClientError => {
  const path = readPath(definition.path, config)
  if (typeof path !== "string") return path
  const { member, noun = "record", scope = null } = definition
  const cursors = config.probesCursor ? candidates : [config.cursorParam]
  const query = readQuery(definition.query, ["id", "limit", ...cursors])
  if (!isPairs(query)) return query
  return { name: target({ path, query }), path, scope, member, noun, query }
}

const isPairs = (read: Pairs | ClientError): read is Pairs => Array.isArray(read)
