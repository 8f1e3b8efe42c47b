/**
 * CSV written by hand for exactly these columns, of which the last is empty, with RFC 4180 quoting and the formula guard: the practical limit.
 * The bytes are those of `@deedkit/export-csv`, which the bench checks.
 */
import type { Contract } from "@deedkit/core"
import { FormulaGuard } from "@deedkit/export"
import type { Pages, Put } from "../files/Case.ts"

const headings =
  "Contract,Status,Kind,Unit,Listing,City,Area,Created (UTC),Updated (UTC),Unit id,Listing id,Listing slug,Template id,Id in listing,Other members (JSON)\r\n"

/** Texts that begin with a letter or digit and hold nothing that needs quotes are written as they are. */
const special =
  /[",\r\n\0\uFEFF]|^[^0-9A-Za-z\u00C0-\u02AF\u0370-\u03FF\u0620-\u064A\u3041-\u3096\u4E00-\u9FFF\uAC00-\uD7A3]| $/
const needsQuotes = /[",\r\n\uFEFF]|^ | $/

const careful = (text: string): string => {
  const guarded = FormulaGuard.guard(text.includes("\0") ? text.replaceAll("\0", "") : text)
  return needsQuotes.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
const cell = (text: string): string => (special.test(text) ? careful(text) : text)

const any = (value: Contract.Contract["unit_id"]): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  return cell(typeof value === "string" ? value : JSON.stringify(value))
}

const line = (contract: Contract.Contract): string => {
  const { created_at, id, kind, listing, listing_id, status, template_id, unit_id, unit_label, updated_at } =
    contract
  const start = `${id},${cell(status)},${cell(kind)},${cell(unit_label)},`
  const dates = `${cell(created_at)},${cell(updated_at)},${any(unit_id)},${listing_id ?? ""},`
  return listing == null
    ? `${start},,,${dates},${template_id},,\r\n`
    : `${start}${cell(listing.title)},${cell(listing.city)},${cell(listing.area)},${dates}${cell(listing.slug)},${template_id},${listing.id},\r\n`
}

export const handCsv = (pages: Pages, put: Put): void => {
  let room = Buffer.alloc(0)
  let pending = headings
  for (const page of pages()) {
    let lines = pending
    pending = ""
    for (const contract of page) lines += line(contract)
    if (room.byteLength < lines.length * 3) room = Buffer.allocUnsafe(lines.length * 4)
    put(room.subarray(0, room.write(lines)))
  }
}
