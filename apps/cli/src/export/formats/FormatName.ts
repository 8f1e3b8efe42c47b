/** The single list of export formats. Each format describes itself and loads its writer on demand. */
import type { FileFormat } from "@deedkit/export/formats"
import type { Packing } from "@deedkit/export/run"
import { json, ndjson } from "@deedkit/export/formats"
import { csv, tsv } from "@deedkit/export-csv/format"
import { parquet } from "@deedkit/export-parquet/format"
import { xlsx } from "@deedkit/export-xlsx/format"

const formats = [csv, tsv, xlsx, json, ndjson, parquet] as const

export type FormatName = (typeof formats)[number]["name"]
export type FlavourName = (typeof formats)[number]["flavours"][number]["name"]

export const names: ReadonlyArray<FormatName> = formats.map(({ name }) => name)

/** The flavours of all formats. */
export const flavours: ReadonlyArray<FlavourName> = formats.flatMap(
  (format: FileFormat<FormatName, FlavourName>) => format.flavours.map(({ name }) => name),
)

export const ofName = (name: FormatName): FileFormat => formats.find((format) => format.name === name)!

/** How a file is packed, by the ending of its name; null if it is not packed. */
export const packingOf = (path: string): Packing | null => {
  const ending = /\.(gz|zst)$/i.exec(path)?.[1]?.toLowerCase()
  return ending === "gz" || ending === "zst" ? ending : null
}

/** The format of a file by its name, such as `contracts.csv` or `contracts.csv.gz`; null if no format has its extension. */
export const ofFile = (path: string): FormatName | null => {
  const packing = packingOf(path)
  const own = packing === null ? path : path.slice(0, -packing.length - 1)
  const extension = /\.([^./\\]+)$/.exec(own)?.[1]?.toLowerCase() ?? ""
  return formats.find(({ extensions }) => extensions.includes(extension))?.name ?? null
}
