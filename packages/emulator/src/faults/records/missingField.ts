/** Fault `missing-field`: a documented member is missing. Resources and their fields. */
import { text } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { changeMember, onRecords, which } from "./records.ts"

export const missingField = define({
  name: "missing-field",
  description: "Leaves a member out of chosen records.",
  attributes: { field: text("status", "member, with dots for inner ones: listing.city"), records: which },
  start: ({ field, records }) => ({
    content: (content) =>
      onRecords(content, records, (record) => changeMember(record, field, () => undefined)),
  }),
})
