/**
 * The formats and files of an export. The list of formats here is the only one. Each format describes itself and loads its writer on demand: the
 * library for workbooks is larger than the rest of the program.
 */
import { join } from "node:path"
import type { TableWriter } from "@deedkit/export"
import { csv, tsv } from "@deedkit/export-csv/format"
import { parquet } from "@deedkit/export-parquet/format"
import { xlsx } from "@deedkit/export-xlsx/format"
import type { FileFormat } from "@deedkit/export/formats"
import { json, ndjson } from "@deedkit/export/formats"
import type { Packing } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

const formats = [csv, tsv, xlsx, json, ndjson, parquet] as const

export type FormatName = (typeof formats)[number]["name"]
export type FlavourName = (typeof formats)[number]["flavours"][number]["name"]

export const names: ReadonlyArray<FormatName> = formats.map(({ name }) => name)

/** The flavours of all formats. */
export const flavours: ReadonlyArray<FlavourName> = formats.flatMap(
  (format: FileFormat<FormatName, FlavourName>) => format.flavours.map(({ name }) => name),
)

const ofName = (name: FormatName): FileFormat => formats.find((format) => format.name === name)!

/** How a file is packed, by the ending of its name; null if it is not packed. */
const packingOf = (path: string): Packing | null => {
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

export interface FormatOptions {
  readonly flavour: FlavourName
  readonly formulaGuard: "on" | "off"
  /** Compression of a workbook. */
  readonly compression: "fast" | "small"
  /** Paper size of a workbook. Default `a4`. */
  readonly paper?: "a4" | "letter" | undefined
  /** Which sheet of a workbook its cover is. Default `first`. */
  readonly coverAt?: "first" | "last" | undefined
}

/** A format and its file, or `-`. A name that ends in `.gz` or `.zst` is packed. */
export interface FormatTarget {
  readonly format: FormatName
  readonly target: string
}

/** Splits a name into its stem, without the extension of its format, and the ending of its files. */
const parts = (out: string): { readonly stem: string; readonly ending: string } => {
  const packing = packingOf(out)
  const own = packing === null ? out : out.slice(0, -packing.length - 1)
  const stem = ofFile(out) === null ? own : own.slice(0, own.lastIndexOf("."))
  return { stem, ending: packing === null ? "" : `.${packing}` }
}

/** What does what people expect of a name that no format has; nothing for other names. */
const insteadOf = (name: string, example: string): string => {
  const workbook = `${parts(example).stem}.xlsx`
  if (/^(?:to|as|into|in)$/i.test(name)) return `Name the file alone: \`${example}\`. `
  if (/^(?:csv|tsv|xlsx|json|ndjson|parquet)$/i.test(name))
    return `Name the file: \`${parts(example).stem}.${name}\`. `
  if (/^(?:contracts|keys|both)$/i.test(name)) return "For both tables: `deedkit export all FILE`. "
  if (/\.pdf$/i.test(name)) return `Add --pdf to a workbook: \`--out ${workbook} --pdf\`. `
  if (/\.(?:zip|7z|tgz|bz2|xz)$/i.test(name))
    return `Files are packed by .gz or .zst: \`--out ${example}.gz\`. `
  return /\.(?:sqlite3?|db)$|^postgres/i.test(name)
    ? "A database is a mirror: `deedkit sync --to MIRROR`. "
    : ""
}

/**
 * The files of `--format` and `--out`: the file's extension determines the format unless `--format` is given; with several formats there is one file
 * for each, with the format as its extension.
 */
export const targets = (
  outs: ReadonlyArray<string>,
  chosen: ReadonlyArray<FormatName>,
  example = "contracts.csv",
): Effect.Effect<ReadonlyArray<FormatTarget>, Failure> => {
  const [out] = outs
  if (out === undefined) {
    const named = chosen[0] === undefined ? example : `${parts(example).stem}.${chosen[0]}`
    return usageError("Missing --out FILE", `Add \`--out ${named}\`, or \`--out -\` for standard output.`)
  }
  if (outs.some((path) => path.trim() === "")) {
    return usageError(
      "--out is empty",
      "Name a file, such as `--out contracts.csv`, or `--out -` for standard output.",
    )
  }
  const folder = outs.find((path) => /(?:^|[/\\])\.{0,2}$/.test(path))
  if (folder !== undefined) {
    return usageError(
      `--out ${folder} is a folder, and an export writes files`,
      `Name a file in it: \`--out ${join(folder, example)}\`.`,
    )
  }
  if (chosen.length > 1) {
    if (outs.length > 1 || out === "-") {
      return usageError(
        "Several formats need one file name",
        "Give one --out NAME: each format adds its own extension.",
      )
    }
    const { ending, stem } = parts(out)
    return Effect.succeed(chosen.map((format) => ({ format, target: `${stem}.${format}${ending}` })))
  }
  if (outs.filter((path) => path === "-").length > 1) {
    return usageError("Standard output takes one file", "Give --out - once.")
  }
  const unknown = outs.find((path) => chosen.length === 0 && path !== "-" && ofFile(path) === null)
  if (unknown !== undefined) {
    return usageError(
      `Unknown format for --out ${unknown}`,
      `${insteadOf(unknown, example)}Use one of the extensions .${names.join(" .")}, or add --format.`,
    )
  }
  return Effect.succeed(outs.map((target) => ({ format: chosen[0] ?? ofFile(target) ?? "csv", target })))
}

/** Refuses a flavour of CSV where no file is CSV. A workbook needs none; every other format would ignore it without a word. */
export const checkFlavour = (
  targets: ReadonlyArray<FormatTarget>,
  flavour: FlavourName,
): Effect.Effect<void, Failure> => {
  const other = targets.find(({ format }) => format !== "xlsx" && format !== flavour)
  if (flavour === "rfc4180" || other === undefined || targets.some(({ format }) => format === "csv"))
    return Effect.void
  const name = other.target === "-" ? "standard output" : other.target
  return Effect.fail(
    usageError(
      `--for ${flavour} is for CSV, and ${name} is ${ofName(other.format).label}`,
      "Name a file that ends in .csv, or leave --for out.",
    ),
  )
}

/** Properties of a target's file: how its name ends, and whether it has sheets. */
export const factsOf = ({
  format,
  target,
}: FormatTarget): Pick<TableWriter.Format, "extensions" | "sheets"> => {
  const { extensions, sheets } = ofName(format)
  const packing = packingOf(target)
  const [usual, ...others] = extensions.map((each) => (packing === null ? each : `${each}.${packing}`))
  return { sheets, extensions: [usual ?? extensions[0], ...others] }
}

/** Whether a target holds records in the service's own shape, and columns only if they are chosen. */
export const holdsRecords = ({ format }: FormatTarget): boolean => ofName(format).holdsRecords === true

/** The writer of a target. */
export const writer = (
  { format, target }: FormatTarget,
  { compression, coverAt, flavour, formulaGuard, paper }: FormatOptions,
): Effect.Effect<TableWriter.TableWriter> =>
  Effect.promise(async () => {
    const plain = await ofName(format).writer({ compression, coverAt, flavour, formulaGuard, paper })
    const packing = packingOf(target)
    return packing === null ? plain : (await import("@deedkit/export/run")).compressed(plain, packing)
  })
