/**
 * Contracts: the container of rental and sale workflows (Spec: Resources, Contract).
 *
 * A contract is the object from the answer, checked in place: nothing is renamed, copied or dropped. `kind` and
 * `status` are open, because the specification names only some of their values; `unit_id` is any JSON value.
 * Undocumented members, among them the payload of `include_data=1`, stay on the object and are reached through `extra`.
 */
import type { Expectation, Issue } from "./internal/check.ts"
import {
  countMembers,
  integer,
  object,
  orNull,
  present,
  text,
  timestamp,
  undocumented,
} from "./internal/check.ts"
import type { Json } from "./Json.ts"
import { isTimestamp } from "./Timestamp.ts"
import type { Timestamp } from "./Timestamp.ts"

/** The kind of a contract. The specification names `rent` and `sale` "and others"; other values are kept. */
export type Kind = "rent" | "sale" | (string & {})

/** The state of a contract. The specification names `draft`, `active` and `ended`, and no transitions; other values are kept. */
export type Status = "draft" | "active" | "ended" | (string & {})

/** The listing summary that is embedded in each contract. */
export interface Listing {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly city: string
  readonly area: string
}

/** One contract, as the service sends it. */
export interface Contract {
  readonly id: number
  readonly listing_id: number | null
  readonly kind: Kind
  readonly status: Status
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly unit_id: Json
  readonly unit_label: string
  readonly template_id: number
  /** Documented as an object; null or absent is accepted too, because a contract may have no listing at all. */
  readonly listing?: Listing | null | undefined
}

const ofListing = { id: integer, slug: text, title: text, city: text, area: text } satisfies {
  readonly [Member in keyof Listing]: Expectation
}

const isListed = object(ofListing)

const ofContract = {
  id: integer,
  listing_id: orNull(integer),
  kind: text,
  status: text,
  created_at: timestamp,
  updated_at: timestamp,
  unit_id: present,
  unit_label: text,
  template_id: integer,
  listing: (value, path) => (value === null || value === undefined ? [] : isListed(value, path)),
} satisfies { readonly [Member in keyof Required<Contract>]: Expectation }

/** Every documented member of a contract, in the order of the specification. */
export const members = Object.keys(ofContract) as ReadonlyArray<keyof Contract>

/** Every documented member of the embedded listing, in the order of the specification. */
export const listingMembers = Object.keys(ofListing) as ReadonlyArray<keyof Listing>

/** The kinds that the specification names. */
export const knownKinds: ReadonlySet<string> = new Set(["rent", "sale"])

/** The statuses that the specification names. */
export const knownStatuses: ReadonlySet<string> = new Set(["draft", "active", "ended"])

const isListing = (value: Listing): boolean =>
  typeof value === "object" &&
  Number.isSafeInteger(value.id) &&
  typeof value.slug === "string" &&
  typeof value.title === "string" &&
  typeof value.city === "string" &&
  typeof value.area === "string"

/**
 * Whether a JSON value is a contract: every documented member is present and has its documented type. It is straight-line code, because it runs
 * once per record. `issues` says what is wrong; the two agree on every value.
 */
export const isContract = (value: unknown): value is Contract => {
  if (typeof value !== "object" || value === null) return false
  const it = value as Contract
  return (
    Number.isSafeInteger(it.id) &&
    (it.listing_id === null || Number.isSafeInteger(it.listing_id)) &&
    typeof it.kind === "string" &&
    typeof it.status === "string" &&
    isTimestamp(it.created_at) &&
    isTimestamp(it.updated_at) &&
    it.unit_id !== undefined &&
    typeof it.unit_label === "string" &&
    Number.isSafeInteger(it.template_id) &&
    (it.listing === null || it.listing === undefined || isListing(it.listing))
  )
}

const expected = object(ofContract)

/** The issues of a value that is not a contract, by path; empty for a contract. */
export const issues = (value: unknown): ReadonlyArray<Issue> => expected(value, "")

const documented: ReadonlySet<string> = new Set(members)

/** Whether a checked contract, or its listing, has undocumented members. It has every documented one, except perhaps its listing. */
export const hasExtra = (contract: Contract): boolean => {
  const { listing } = contract
  if (countMembers(contract) !== (listing === undefined ? members.length - 1 : members.length)) return true
  return listing !== null && listing !== undefined && countMembers(listing) !== listingMembers.length
}

/** The undocumented members, unchanged; with `include_data=1` the payload is among them. Empty when there are none. */
export const extra = (contract: Contract): { readonly [member: string]: Json } =>
  undocumented(contract, documented)
