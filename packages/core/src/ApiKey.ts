/**
 * API-key metadata (Spec: Resources, API key). The record never holds the secret.
 *
 * Like a contract, a key record is the object from the answer, checked in place. Scope names are open: the specification names five and does not
 * show the complete list (Spec: Authentication 5).
 */
import type { Expectation, Issue } from "./internal/check.ts"
import { countMembers, integer, object, orNull, text, timestamp, undocumented } from "./internal/check.ts"
import type { Json } from "./Json.ts"
import { typeName } from "./Json.ts"
import { isTimestamp } from "./Timestamp.ts"
import type { Timestamp } from "./Timestamp.ts"

/** A permission that a key grants. The specification names five; other values are kept as they are. */
export type Scope =
  | "read:api_keys"
  | "read:contracts"
  | "read:me"
  | "read:listings"
  | "read:contact_messages"
  | (string & {})

/** Metadata of one API key, as the service sends it. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: Timestamp
  readonly last_used_at: Timestamp | null
  readonly revoked_at: Timestamp | null
}

const ofApiKey = {
  id: integer,
  name: text,
  scopes: (value, path) =>
    Array.isArray(value)
      ? value.flatMap((scope, index) => text(scope, `${path}[${index}]`))
      : [{ path, expected: "array of strings", found: typeName(value) }],
  created_at: timestamp,
  last_used_at: orNull(timestamp),
  revoked_at: orNull(timestamp),
} satisfies { readonly [Member in keyof ApiKey]: Expectation }

/** Every documented member of a key record, in the order of the specification. */
export const members = Object.keys(ofApiKey) as ReadonlyArray<keyof ApiKey>

/** The scopes that the specification names. */
export const knownScopes: ReadonlySet<string> = new Set([
  "read:api_keys",
  "read:contracts",
  "read:me",
  "read:listings",
  "read:contact_messages",
])

/** Whether a JSON value is a key record: every documented member is present and has its documented type. */
export const isApiKey = (value: unknown): value is ApiKey => {
  if (typeof value !== "object" || value === null) return false
  const it = value as ApiKey
  return (
    Number.isSafeInteger(it.id) &&
    typeof it.name === "string" &&
    Array.isArray(it.scopes) &&
    it.scopes.every((scope) => typeof scope === "string") &&
    isTimestamp(it.created_at) &&
    (it.last_used_at === null || isTimestamp(it.last_used_at)) &&
    (it.revoked_at === null || isTimestamp(it.revoked_at))
  )
}

const expected = object(ofApiKey)

/** The issues of a value that is not a key record, by path; empty for a key record. */
export const issues = (value: unknown): ReadonlyArray<Issue> => expected(value, "")

/** Whether the key is revoked: `revoked_at` is not null (Spec: States, API key). */
export const isRevoked = (key: ApiKey): boolean => key.revoked_at !== null

const documented: ReadonlySet<string> = new Set(members)

/** Whether a checked key record has undocumented members. */
export const hasExtra = (key: ApiKey): boolean => countMembers(key) !== members.length

/** The undocumented members, unchanged. */
export const extra = (key: ApiKey): { readonly [member: string]: Json } => undocumented(key, documented)
