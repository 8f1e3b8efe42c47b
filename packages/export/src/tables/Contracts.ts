/**
 * Contracts as a table: the one place where a contract becomes columns (Spec: Resources, Contract).
 *
 * Every documented member of the contract and of its embedded listing has a column. `unit_id` has no stated type (Spec: Contract gaps),
 * so its column takes any JSON. Members that are not documented, among them the data payload, are one column of JSON for the asking.
 */
import { Contract } from "@deedkit/core"
import type { Json } from "@deedkit/core"
import type { Grouping } from "../Overview.ts"
import type { Table } from "../Table.ts"
import { extraColumn } from "./extraColumn.ts"

/** The order is an owner's: which contract, in which state, of what kind, of which unit and listing, since when; then the ids. */
export const contracts: Table<Contract.Contract> = {
  name: "contracts",
  title: "Contracts",
  columns: [
    { name: "id", label: "Contract", kind: "integer", get: (contract) => contract.id },
    {
      name: "status",
      label: "Status",
      kind: "text",
      tones: { active: "good", draft: "attention", ended: "muted" },
      get: (contract) => contract.status,
    },
    { name: "kind", label: "Kind", kind: "text", get: (contract) => contract.kind },
    { name: "unit_label", label: "Unit", kind: "text", get: (contract) => contract.unit_label },
    {
      name: "listing.title",
      label: "Listing",
      kind: "text",
      get: (contract) => contract.listing?.title ?? null,
    },
    { name: "listing.city", label: "City", kind: "text", get: (contract) => contract.listing?.city ?? null },
    { name: "listing.area", label: "Area", kind: "text", get: (contract) => contract.listing?.area ?? null },
    { name: "created_at", label: "Created (UTC)", kind: "timestamp", get: (contract) => contract.created_at },
    { name: "updated_at", label: "Updated (UTC)", kind: "timestamp", get: (contract) => contract.updated_at },
    { name: "unit_id", label: "Unit id", kind: "json", get: (contract) => contract.unit_id },
    { name: "listing_id", label: "Listing id", kind: "integer", get: (contract) => contract.listing_id },
    {
      name: "listing.slug",
      label: "Listing slug",
      kind: "text",
      get: (contract) => contract.listing?.slug ?? null,
    },
    { name: "template_id", label: "Template id", kind: "integer", get: (contract) => contract.template_id },
    {
      name: "listing.id",
      label: "Id in listing",
      kind: "integer",
      get: (contract) => contract.listing?.id ?? null,
    },
  ],
  json: (contract) => contract as unknown as Json.Json,
  onDemand: [
    {
      name: "extra",
      label: "Other members (JSON)",
      kind: "json",
      isComputed: true,
      get: (contract) => {
        const extra = Contract.extra(contract)
        return Object.keys(extra).length === 0 ? null : extra
      },
    },
  ],
  named: (name) => extraColumn(name, Contract.extra),
}

/** How a summary counts contracts. */
export const contractGroupings: ReadonlyArray<Grouping<Contract.Contract>> = [
  { label: "Status", of: (contract) => contract.status },
  { label: "Kind", of: (contract) => contract.kind },
  { label: "City", of: (contract) => contract.listing?.city ?? null },
]
