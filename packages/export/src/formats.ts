/** Entry point for lists of formats: the two formats that need no library, and the type that describes a format. Loads no writer. */
import * as Facts from "./formats/Facts.ts"
import type { FileFormat } from "./write/FileFormat.ts"

export type { FileFormat, Flavour, FormatOptions } from "./write/FileFormat.ts"
export { unlimited } from "./write/Limits.ts"

/** One array of objects. */
export const json: FileFormat<"json", never> = {
  ...Facts.json,
  label: "JSON",
  flavours: [],
  writer: async () => (await import("./formats/Json.ts")).json,
}

/** One object per line. */
export const ndjson: FileFormat<"ndjson", never> = {
  ...Facts.ndjson,
  label: "NDJSON",
  flavours: [],
  writer: async () => (await import("./formats/Json.ts")).ndjson,
}
