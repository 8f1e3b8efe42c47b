/** Fault `unknown-status`: an undocumented status; the specification does not show the complete set. States: Contract status. */
import { text } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { changeMember, onRecords, which } from "./records.ts"

export const unknownStatus = define({
  name: "unknown-status",
  description: "Gives chosen records a status, or another open member, that is not documented.",
  attributes: {
    value: text("frozen", "the value"),
    field: text("status", "member that gets it, such as kind"),
    records: which,
  },
  start: ({ value, field, records }) => ({
    content: (content) => onRecords(content, records, (record) => changeMember(record, field, () => value)),
  }),
})
