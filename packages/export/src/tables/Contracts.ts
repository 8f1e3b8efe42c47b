/**
 * Contracts as a table: the one place where a contract becomes columns (Spec: Resources, Contract).
 *
 * Every documented member of the contract and of its embedded listing has a column. `unit_id` has no stated type (Spec: Contract gaps), so its
 * column takes any JSON. Members that are not documented, among them the data payload, share one column of JSON. A file has it even if it stays
 * empty: headings are written before the last page is known, and columns that come and go break programs that read the next file.
 */
import { Contract } from "@deedkit/core"
import type { Json } from "@deedkit/core"
import type { Tone } from "../table/Column.ts"
import type { Grouping } from "../table/Overview.ts"
import type { Table } from "../table/Table.ts"
import type { Language, Text } from "../Texts.ts"
import { say } from "../Texts.ts"
import type { Undocumented } from "./extraColumn.ts"
import { extraColumn, namedExtra } from "./extraColumn.ts"

const documentedOfListing: ReadonlySet<string> = new Set(Contract.listingMembers)

const none = {}

/** The undocumented members of the contract, and under `listing` those of its listing. */
const undocumented: Undocumented<Contract.Contract> = (contract) => {
  if (!Contract.hasExtra(contract)) return none
  const ofListing = Object.entries(contract.listing ?? {}).filter(([name]) => !documentedOfListing.has(name))
  return {
    ...Contract.extra(contract),
    ...(ofListing.length === 0 ? {} : { listing: Object.fromEntries(ofListing) as Json.Json }),
  }
}

const documentedWords: ReadonlySet<string> = new Set([...Contract.knownStatuses, ...Contract.knownKinds])

/** The word for people of a status or a kind: `Active` for `active`. A value that the specification does not name stays as it came. */
export const worded = (value: string, language: Language = "en"): string =>
  documentedWords.has(value)
    ? say(language, (value.slice(0, 1).toUpperCase() + value.slice(1)) as Text)
    : value

export const statusTones: { readonly [status: string]: Tone } = {
  active: "good",
  draft: "attention",
  ended: "muted",
}

/** The order of the columns suits an owner: which contract, in which state, of what kind, of which unit and listing, since when; then the ids. */
export const contracts: Table<Contract.Contract> = {
  name: "contracts",
  title: "Contracts",
  columns: [
    { name: "id", label: "Contract", kind: "integer", role: "id", get: (it) => it.id },
    { name: "status", label: "Status", kind: "text", tones: statusTones, get: (it) => it.status },
    { name: "kind", label: "Kind", kind: "text", get: (it) => it.kind },
    { name: "unit_label", label: "Unit", kind: "text", get: (it) => it.unit_label },
    { name: "listing.title", label: "Listing", kind: "text", get: (it) => it.listing?.title ?? null },
    { name: "listing.city", label: "City", kind: "text", get: (it) => it.listing?.city ?? null },
    { name: "listing.area", label: "Area", kind: "text", get: (it) => it.listing?.area ?? null },
    { name: "created_at", label: "Created (UTC)", kind: "timestamp", get: (it) => it.created_at },
    { name: "updated_at", label: "Updated (UTC)", kind: "timestamp", get: (it) => it.updated_at },
    { name: "unit_id", label: "Unit id", kind: "json", role: "id", get: (it) => it.unit_id },
    { name: "listing_id", label: "Listing id", kind: "integer", role: "id", get: (it) => it.listing_id },
    { name: "listing.slug", label: "Listing slug", kind: "text", get: (it) => it.listing?.slug ?? null },
    { name: "template_id", label: "Template id", kind: "integer", role: "id", get: (it) => it.template_id },
    {
      name: "listing.id",
      label: "Id in listing",
      kind: "integer",
      role: "id",
      get: (it) => it.listing?.id ?? null,
    },
    extraColumn(undocumented),
  ],
  printed: 9,
  json: (contract) => contract as unknown as Json.Json,
  onDemand: [],
  undocumented: (contract) => {
    if (!Contract.hasExtra(contract)) return []
    const { listing, ...own } = undocumented(contract)
    return [...Object.keys(own), ...Object.keys(listing ?? {}).map((name) => `listing.${name}`)]
  },
  named: namedExtra(undocumented),
}

export const contractGroupings: ReadonlyArray<Grouping<Contract.Contract>> = [
  { label: "Status", of: (contract) => contract.status },
  { label: "Kind", of: (contract) => contract.kind },
  { label: "City", of: (contract) => contract.listing?.city ?? null },
]
