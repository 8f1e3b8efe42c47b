/** Entry point for lists of formats: the descriptions of CSV and TSV. Does not load the writer. */
import type { FileFormat, FormatOptions } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"
import type { FlavourName } from "./Flavour.ts"
import { flavours, isFlavour } from "./Flavour.ts"

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
}

/** The flavour `tsv` of CSV as a format of its own. */
export const tsv: FileFormat<"tsv", never> = {
  ...Facts.tsv,
  label: "TSV",
  flavours: [],
  writer: (options = {}) => writer("tsv", options),
}
