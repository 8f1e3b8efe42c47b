/** Entry point for lists of formats: the two formats that need no library, and the type that describes a format. Loads no writer. */
import type { Flavour, Format, FormatOptions } from "./write/Format.ts"
import { jsonFacts, ndjsonFacts } from "./write/Format.ts"
import type { TableWriter } from "./write/TableWriter.ts"

export type { Flavour, FormatOptions } from "./write/Format.ts"
export { unlimited } from "./write/Format.ts"

/**
 * How a format describes itself, so that an app needs one list of formats and no other place that names them. A value of this type loads its
 * writer only when that is requested.
 */
export interface FileFormat<
  Name extends string = string,
  FlavourName extends string = string,
> extends Format<Name> {
  /** What people call it, such as `Excel workbook`. */
  readonly label: string
  /** Empty for a format that is written in one way only. */
  readonly flavours: ReadonlyArray<Flavour<FlavourName>>
  readonly writer: (options?: FormatOptions) => Promise<TableWriter>
}

/** One array of objects. */
export const json: FileFormat<"json", never> = {
  ...jsonFacts,
  label: "JSON",
  flavours: [],
  writer: async () => (await import("./formats/Json.ts")).json,
}

/** One object per line. */
export const ndjson: FileFormat<"ndjson", never> = {
  ...ndjsonFacts,
  label: "NDJSON",
  flavours: [],
  writer: async () => (await import("./formats/Json.ts")).ndjson,
}
