/** Entry point for lists of formats: the descriptions of CSV and TSV. Does not load the writer. */
import type { FileFormat, FormatOptions } from "@deedkit/export/formats"
import type { FlavourName } from "./Flavour.ts"
import { csvFacts, flavours, isFlavour, tsvFacts } from "./Flavour.ts"

const writer = async (flavour: FlavourName, { formulaGuard, times }: FormatOptions) =>
  (await import("./CsvWriter.ts")).writer({ flavour, formulaGuard, times })

const flavourNames = Object.keys(flavours) as ReadonlyArray<FlavourName>

export type { FlavourName } from "./Flavour.ts"

/** Its flavours are those of `CsvOptions`, `rfc4180` first. */
export const csv: FileFormat<"csv", FlavourName> = {
  ...csvFacts,
  label: "CSV",
  flavours: flavourNames.map((name) => ({ name, label: flavours[name].label })),
  writer: ({ flavour = "", ...options } = {}) => writer(isFlavour(flavour) ? flavour : "rfc4180", options),
}

/** The flavour `tsv` of CSV as a format of its own. */
export const tsv: FileFormat<"tsv", never> = {
  ...tsvFacts,
  label: "TSV",
  flavours: [],
  writer: (options = {}) => writer("tsv", options),
}
