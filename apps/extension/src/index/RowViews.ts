/**
 * Rows of the index as the pages and the listing panel show them. A content script gets a smaller record than the extension's own pages
 * get. Pure.
 */
import type { Contract } from "@deedkit/core"
import { Contract as Contracts, Json } from "@deedkit/core"
import { rowOf } from "./FirstRows.ts"
import type { Row, Rows } from "./Row.ts"
import type { ListingContract, ListingDetail } from "../messages/ListingMessage.ts"
import type { ContractDetail } from "../messages/PageMessage.ts"

type Field = ContractDetail["fields"][number]

/** A wire value as text: strings as they are, null as null, anything else as JSON with every digit that was received. */
const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === "string" ? value : Json.stringify(value)

const fieldsOf = (contract: Contract.Contract): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  for (const name of Contracts.members) {
    if (name !== "listing") fields.push({ name, value: textOf(contract[name]) })
  }
  const { listing } = contract
  for (const name of Contracts.listingMembers) {
    fields.push({ name: `listing.${name}`, value: listing == null ? null : textOf(listing[name]) })
  }
  const extra = Object.entries(Contracts.extra(contract))
  return [...fields, ...extra.map(([name, value]) => ({ name, value: textOf(value) }))]
}

/** All members of the record, including those that the specification does not name. */
export const detailOf = (row: Row): ContractDetail => ({
  row: rowOf(row),
  fields: fieldsOf(row.contract),
  seenAt: row.seenAt,
})

const listingContractOf = ({ contract, id, seenAt }: Row): ListingContract => ({
  id,
  kind: contract.kind,
  status: contract.status,
  unitLabel: contract.unit_label,
  createdAt: contract.created_at,
  updatedAt: contract.updated_at,
  seenAt,
})

/** The data for the panel on a listing's page. Null for a listing without a contract: then nothing is shown. */
export const listingOf = ({ rows, total }: Rows): ListingDetail | null => {
  const listing = rows.find((row) => row.contract.listing != null)?.contract.listing
  if (rows.length === 0) return null
  return {
    title: listing?.title ?? null,
    city: listing?.city ?? null,
    contracts: rows.map(listingContractOf),
    total,
  }
}
