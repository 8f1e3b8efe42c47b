/**
 * The requests of the service as values: path, query, the scope that they need and the member that their answer is read
 * from (Spec: Endpoints). Sending, logging and the scope named in a 403 are derived from these values; no other part of
 * the client contains a path.
 */

/** How an answer is read: a page of `items`, one record under `member`, or a free object. */
type Form = "list" | "retrieve" | "free"

/** The two collections of the specification. */
export type CollectionName = "contracts" | "api-keys"

/** A list of the service: its path and the names of its records. */
export interface Collection {
  readonly name: CollectionName
  /** Path below the base URL, with its trailing slash. */
  readonly path: string
  /** Scope that both forms need (Spec: Authentication 2). */
  readonly scope: string
  /** Member that holds the record in the retrieve form. */
  readonly member: string
  /** The name of one record in messages. */
  readonly noun: string
}

/** A request, ready to be sent: no host, no key, no headers. */
export interface ServiceRequest {
  readonly method: "GET"
  readonly path: string
  /** Query parameters in the order in which they are sent. */
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
  readonly form: Form
  /** The scope that the endpoint needs; null where the specification does not say. */
  readonly scope: string | null
  /** Member that the answer is read from: `items`, `contract`, `api_key`; null for a free form. */
  readonly member: string | null
  /** What is requested, for messages: `contract 12`, `a page of contracts`. */
  readonly subject: string
}

/** Whether an id is a positive whole number. An empty id would turn the retrieve form into the list form. */
export const isId = (id: unknown): boolean => Number.isSafeInteger(id) && (id as number) > 0

/** The contracts (Spec: Endpoints, rows 3 and 4). */
export const contracts: Collection = {
  name: "contracts",
  path: "/v1/contracts/",
  scope: "read:contracts",
  member: "contract",
  noun: "contract",
}

/** The API-key metadata records (Spec: Endpoints, rows 1 and 2). */
export const apiKeys: Collection = {
  name: "api-keys",
  path: "/v1/api-keys/",
  scope: "read:api_keys",
  member: "api_key",
  noun: "API key",
}

/** One page of a collection. `limit` is sent only when given, the cursor only from the second page on. @internal */
export const list = (
  collection: Collection,
  options: {
    readonly limit?: number | undefined
    readonly cursor?: readonly [parameter: string, value: string] | undefined
  },
): ServiceRequest => ({
  method: "GET",
  path: collection.path,
  query: [
    ...(options.limit === undefined ? [] : [["limit", String(options.limit)] as const]),
    ...(options.cursor === undefined ? [] : [options.cursor]),
  ],
  form: "list",
  scope: collection.scope,
  member: "items",
  subject: `a page of ${collection.noun}s`,
})

/** One record by id; `includeData` adds the payload of a contract (Spec: Endpoints, row 4). @internal */
export const retrieve = (
  collection: Collection,
  id: number,
  options: { readonly includeData?: boolean | undefined } = {},
): ServiceRequest => ({
  method: "GET",
  path: collection.path,
  query: [["id", String(id)], ...(options.includeData === true ? [["include_data", "1"] as const] : [])],
  form: "retrieve",
  scope: collection.scope,
  member: collection.member,
  subject: `${collection.noun} ${id}`,
})

/** Who the key belongs to (Spec: Endpoints, row 5; its scope is not shown). @internal */
export const me: ServiceRequest = {
  method: "GET",
  path: "/v1/me/",
  query: [],
  form: "free",
  scope: null,
  member: null,
  subject: "the account of the key",
}

/** Path and query as one text, for URLs and logs. Never holds a secret: the key is sent in a header. @internal */
export const target = ({ path, query }: Pick<ServiceRequest, "path" | "query">): string => {
  let text = path
  for (const [name, value] of query) {
    text += `${text === path ? "?" : "&"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  }
  return text
}
