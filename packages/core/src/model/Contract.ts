/**
 * Contracts: the container of rental and sale workflows (Spec: Resources, Contract).
 *
 * A contract is the object of the answer, checked in place: nothing is renamed, copied or dropped. `kind` and `status`
 * are open, because the specification names only some of their values; `unit_id` is any JSON. Undocumented
 * members, among them the payload of `include_data=1`, stay on the object and are reached through `extra`.
 */
import type { Issue } from "./check.ts"
import { expectId, expectObject, expectPresent, expectText, expectTimestamp, undocumented } from "./check.ts"
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
  readonly listing?: Listing | null
}

/** Every documented member of a contract, in the order of the specification. */
export const members: ReadonlyArray<keyof Contract> = [
  "id",
  "listing_id",
  "kind",
  "status",
  "created_at",
  "updated_at",
  "unit_id",
  "unit_label",
  "template_id",
  "listing",
]

/** Every documented member of the embedded listing, in the order of the specification. */
export const listingMembers: ReadonlyArray<keyof Listing> = ["id", "slug", "title", "city", "area"]

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
 * Whether a JSON value is a contract: every documented member there and of its documented type. Straight-line code, because it
 * runs once a record; `issues` says what is wrong, and the two agree on every value.
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

/** What is wrong with a value that is not a contract, by path; empty for a contract. */
export const issues = (value: unknown): ReadonlyArray<Issue> => {
  const found: Array<Issue> = []
  const record = expectObject(found, value, "")
  if (record === undefined) return found
  expectId(found, record["id"], "id")
  if (record["listing_id"] !== null) expectId(found, record["listing_id"], "listing_id", "integer or null")
  expectText(found, record["kind"], "kind")
  expectText(found, record["status"], "status")
  expectTimestamp(found, record["created_at"], "created_at")
  expectTimestamp(found, record["updated_at"], "updated_at")
  expectPresent(found, record["unit_id"], "unit_id")
  expectText(found, record["unit_label"], "unit_label")
  expectId(found, record["template_id"], "template_id")
  if (record["listing"] !== null && record["listing"] !== undefined) {
    const listing = expectObject(found, record["listing"], "listing")
    if (listing !== undefined) {
      expectId(found, listing["id"], "listing.id")
      for (const member of ["slug", "title", "city", "area"]) {
        expectText(found, listing[member], `listing.${member}`)
      }
    }
  }
  return found
}

const documented: ReadonlySet<string> = new Set(members)

/** The members outside the documented ones, unchanged; with `include_data=1` the payload is among them. Empty when there are none. */
export const extra = (contract: Contract): { readonly [member: string]: Json } =>
  undocumented(contract, documented)
