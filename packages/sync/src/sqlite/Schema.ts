/** The tables and views of a mirror in SQLite's words, and what marks its file. */
import { schemaIn } from "../Schema.ts"

/** `PRAGMA application_id` of a mirror: the letters `Deed`. */
export const applicationId = 0x44_65_65_64

/** A random text. */
export const randomText = "lower(hex(randomblob(16)))"

/** The statements that create a mirror. */
export const schema = schemaIn({
  prefix: "",
  types: {
    bigint: "integer",
    timestamptz: "text",
    texts: "text",
    numbers: "text",
    run: "integer primary key autoincrement",
  },
  keyed: " strict, without rowid",
  plain: " strict",
  random: randomText,
  noText: "null",
})
