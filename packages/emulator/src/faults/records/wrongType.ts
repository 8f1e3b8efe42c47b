/** Fault `wrong-type`: a member has another type than its table says. Resources and their fields. */
import { text } from "../../settings/Setting.ts"
import type { Json } from "../../wire/Wire.ts"
import { define } from "../fault/Fault.ts"
import { changeMember, onRecords, which } from "./records.ts"

export const wrongType = define({
  name: "wrong-type",
  description: "Gives a member of chosen records another type: numbers become text, texts become numbers.",
  attributes: { field: text("template_id", "member, with dots for inner ones: listing.id"), records: which },
  start: ({ field, records }) => ({
    content: (content) => onRecords(content, records, (record) => changeMember(record, field, retyped)),
  }),
})

const retyped = (value: Json | undefined): Json => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value.length : "unexpected"
}
