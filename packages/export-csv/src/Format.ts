/** Entry point for lists of formats: the descriptions of CSV and TSV. Loads neither papaparse nor the writer. */
import type { Content, FileFormat, FormatOptions } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"
import type { FlavourName } from "./Flavour.ts"
import { flavours, isFlavour } from "./Flavour.ts"

/** Null for more bytes than a string of the platform can hold. */
const textOf = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const read = async (bytes: Uint8Array): Promise<Content | null> => {
  const reader = await import("./CsvReader.ts")
  const text = textOf(bytes)
  const table = text === null ? null : reader.read(text)
  return table === null ? null : { _tag: "Cells", ...table }
}

const writer = async (flavour: FlavourName, { formulaGuard, times }: FormatOptions) =>
  (await import("./CsvWriter.ts")).writer({ flavour, formulaGuard, times })

const flavourNames = Object.keys(flavours) as ReadonlyArray<FlavourName>

export type { FlavourName } from "./Flavour.ts"

/** Its flavours are those of `CsvOptions`, `rfc4180` first. */
export const csv: FileFormat<"csv", FlavourName> = {
  ...Facts.csv,
  label: "CSV",
  flavours: flavourNames.map((name) => ({ name, label: flavours[name].label })),
  writer: ({ flavour = "", ...options } = {}) => writer(isFlavour(flavour) ? flavour : "rfc4180", options),
  read,
}

/** The flavour `tsv` of CSV as a format of its own. */
export const tsv: FileFormat<"tsv", never> = {
  ...Facts.tsv,
  label: "TSV",
  flavours: [],
  writer: (options = {}) => writer("tsv", options),
  read,
}
