/**
 * A contract as text to take along: lines for people, and a row for a spreadsheet. Whatever a spreadsheet might evaluate is guarded as in
 * exports; numbers never are. Also the names of a record's members for people, where the specification names them (Spec: Resources).
 */
import { FormulaGuard } from "@deedkit/export"
import type { MessageName } from "../../../BrowserNames.ts"
import type { ContractDetail } from "../../../messages/PageMessage.ts"
import { text } from "../../kit/Message.ts"

const labels: { readonly [member: string]: MessageName } = {
  id: "fieldId",
  listing_id: "fieldListingId",
  kind: "fieldKind",
  status: "fieldStatus",
  created_at: "fieldCreatedAt",
  updated_at: "fieldUpdatedAt",
  unit_id: "fieldUnitId",
  unit_label: "fieldUnitLabel",
  template_id: "fieldTemplateId",
  "listing.id": "fieldListingId",
  "listing.slug": "fieldSlug",
  "listing.title": "fieldTitle",
  "listing.city": "fieldCity",
  "listing.area": "fieldArea",
}

/** A member's name for people; null for one that the specification does not name. */
export const labelOf = (member: string): string | null => {
  const name = Object.hasOwn(labels, member) ? labels[member] : undefined
  return name === undefined ? null : text(name)
}

const breaks = /[\t\r\n\v\f\u0085\u2028\u2029]+/g
const isNumber = /^-?\d+(?:\.\d+)?$/

/**
 * A value as a cell of a spreadsheet: on one line, and never evaluated. A quotation mark at its beginning would be taken for the sign of a quoted
 * cell, which ends at the next one; so such a value is quoted.
 */
export const cell = (value: string | null): string => {
  const flat = (value ?? "").replaceAll(breaks, " ")
  if (isNumber.test(flat)) return flat
  return flat.startsWith('"') ? `"${flat.replaceAll('"', '""')}"` : FormulaGuard.guard(flat)
}

/** One line of tab-separated values, in the order of the record's members. */
export const toRow = ({ fields }: ContractDetail): string => fields.map(({ value }) => cell(value)).join("\t")

/** A line for each member that has a value. */
export const toText = ({ fields }: ContractDetail): string =>
  fields
    .flatMap(({ name, value }) => (value === null ? [] : [`${labelOf(name) ?? name}: ${value}`]))
    .join("\n")
