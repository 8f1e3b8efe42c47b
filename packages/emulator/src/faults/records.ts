/** Faults in records: a page or a retrieve is whole, but a record in it is not as specified. */
import type { Content } from "../Exchange.ts"
import { choice, positions, text } from "../Setting.ts"
import type { Json, JsonObject } from "../Wire.ts"
import { define } from "./Fault.ts"

/** The attribute by which a fault chooses records. */
const which = positions([1], "positions of the changed records in a page, from 1")

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

export const records = {
  /** A retrieve is answered with a record that was not requested. Endpoints 1. */
  "wrong-record": define({
    description: "Answers a retrieve with another record than the one asked for.",
    attributes: {},
    start: () => ({
      content: (content, { store }) => {
        if (content.kind !== "record") return content
        const all = content.member === "contract" ? store.contracts : store.apiKeys
        const other = all.find((record) => record.id !== content.record["id"])
        return other === undefined ? content : { ...content, record: other }
      },
    }),
  }),

  /** An undocumented status; the specification does not show the complete set. States: Contract status. */
  "unknown-status": define({
    description: "Gives chosen records a status, or another open member, that is not documented.",
    attributes: {
      value: text("frozen", "the value"),
      field: text("status", "member that gets it, such as kind"),
      records: which,
    },
    start: ({ value, field, records }) => ({
      content: (content) => onRecords(content, records, (record) => changeMember(record, field, () => value)),
    }),
  }),

  /** A documented member is missing. Resources and their fields. */
  "missing-field": define({
    description: "Leaves a member out of chosen records.",
    attributes: { field: text("status", "member, with dots for inner ones: listing.city"), records: which },
    start: ({ field, records }) => ({
      content: (content) =>
        onRecords(content, records, (record) => changeMember(record, field, () => undefined)),
    }),
  }),

  /** A member has another type than its table says. Resources and their fields. */
  "wrong-type": define({
    description: "Gives a member of chosen records another type: numbers become text, texts become numbers.",
    attributes: {
      field: text("template_id", "member, with dots for inner ones: listing.id"),
      records: which,
    },
    start: ({ field, records }) => ({
      content: (content) => onRecords(content, records, (record) => changeMember(record, field, retyped)),
    }),
  }),

  /** The embedded listing is null although `listing_id` is not. Contract. */
  "null-listing": define({
    description: "Sets the listing of chosen contracts to null.",
    attributes: { records: which },
    start: ({ records }) => ({
      content: (content) =>
        onRecords(content, records, (record) => changeMember(record, "listing", () => null)),
    }),
  }),

  /** A time that is not ISO 8601 in UTC with a trailing `Z`. Resources and their fields. */
  "odd-timestamp": define({
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
  }),
}

const retyped = (value: Json | undefined): Json => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value.length : "unexpected"
}

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

/** Changes the chosen records; other records stay the same objects, and so keep their cached text. */
const onRecords = (
  content: Content,
  chosen: ReadonlyArray<number>,
  change: (record: JsonObject) => JsonObject,
): Content => {
  switch (content.kind) {
    case "page":
      return {
        ...content,
        items: content.items.map((record, index) => (chosen.includes(index + 1) ? change(record) : record)),
      }
    case "record":
      return { ...content, record: change(content.record) }
    case "single":
      return content
  }
}

/** The record with one member changed, named by a dotted path such as `listing.city`; undefined removes it. */
const changeMember = (
  record: JsonObject,
  path: string,
  change: (value: JsonObject[string] | undefined) => JsonObject[string] | undefined,
): JsonObject => {
  const [name = "", ...rest] = path.split(".")
  const inner = record[name]
  const { [name]: _, ...others } = record
  const changed =
    rest.length === 0 ? change(inner) : isObject(inner) ? changeMember(inner, rest.join("."), change) : inner
  if (changed === undefined) return others
  return name in record ? { ...record, [name]: changed } : { ...others, [name]: changed }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
