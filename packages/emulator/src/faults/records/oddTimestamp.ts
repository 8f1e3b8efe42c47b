/** Fault `odd-timestamp`: a time that is not ISO 8601 in UTC with a trailing `Z`. Resources and their fields. */
import { choice, text } from "../../settings/Setting.ts"
import type { Json } from "../../wire/Wire.ts"
import { define } from "../fault/Fault.ts"
import { changeMember, onRecords, which } from "./records.ts"

const forms = [
  "offset",
  "no-zone",
  "date-only",
  "space",
  "epoch",
  "epoch-text",
  "impossible",
  "rubbish",
  "empty",
] as const

export const oddTimestamp = define({
  name: "odd-timestamp",
  description: "Writes a timestamp of chosen records in another form.",
  attributes: {
    form: choice(forms, "offset", "the form"),
    field: text("created_at", "timestamp that gets it"),
    records: which,
  },
  start: ({ form, field, records }) => ({
    content: (content) =>
      onRecords(content, records, (record) =>
        changeMember(record, field, (value) => (typeof value === "string" ? written(form, value) : value)),
      ),
  }),
})

const written = (form: (typeof forms)[number], iso: string): Json => {
  const ms = Date.parse(iso)
  switch (form) {
    case "offset":
      return `${new Date(ms + 7_200_000).toISOString().slice(0, 19)}+02:00`
    case "no-zone":
      return iso.replace("Z", "")
    case "date-only":
      return iso.slice(0, 10)
    case "space":
      return iso.replace("T", " ").replace("Z", "")
    case "epoch":
      return Math.floor(ms / 1000)
    case "epoch-text":
      return String(ms)
    case "impossible":
      return "2024-02-30T25:61:00Z"
    case "rubbish":
      return "yesterday"
    case "empty":
      return ""
  }
}
