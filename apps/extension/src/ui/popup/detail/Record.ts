/**
 * A contract as text for copying: lines for people, and a row for a spreadsheet. Values that a spreadsheet might evaluate are guarded as in exports;
 * numbers never are. Also the labels for a record's members that the specification names (Spec: Resources).
 */
import { FormulaGuard } from "@deedkit/export"
import type { MessageName } from "../../../BrowserNames.ts"
import type { ContractDetail } from "../../../index/PageIndex.ts"
import { text } from "../../kit/Message.ts"

const labels: { readonly [member: string]: MessageName } = {
  id: "fieldId",
  listing: "partListing",
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

/** A member's label for people; null for a member that the specification does not name. */
export const labelOf = (member: string): string | null => {
  const name = Object.hasOwn(labels, member) ? labels[member] : undefined
  return name === undefined ? null : text(name)
}

const breaks = /[\t\r\n\v\f\u0085\u2028\u2029]+/g
const isNumber = /^-?\d+(?:\.\d+)?$/

/**
 * A value as a spreadsheet cell: on one line, and never evaluated. A leading quotation mark would start a quoted cell that ends at the next quotation
 * mark, so such a value is quoted.
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
