/**
 * The formats and files of an export, and their writers. A writer is loaded on demand: the library for workbooks is larger than the rest of the
 * program.
 */
import type { TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { FlavourName, FormatName } from "./FormatName.ts"
import { names as formatNames, ofFile, ofName, packingOf } from "./FormatName.ts"
import type { Failure } from "../../failure/Failure.ts"
import { usageError } from "../../failure/Failure.ts"

export interface FormatOptions {
  readonly flavour: FlavourName
  readonly formulaGuard: "on" | "off"
  /** Compression of a workbook. */
  readonly compression: "fast" | "small"
  /** Paper size of a workbook. Default `a4`. */
  readonly paper?: "a4" | "letter" | undefined
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

/**
 * The files of `--format` and `--out`: the file's extension determines the format unless `--format` is given; with several formats there is one file
 * for each, with the format as its extension.
 */
export const targets = (
  outs: ReadonlyArray<string>,
  names: ReadonlyArray<FormatName>,
): Effect.Effect<ReadonlyArray<FormatTarget>, Failure> => {
  const [out] = outs
  if (out === undefined) {
    return Effect.fail(
      usageError("Missing --out FILE", "Add `--out contracts.csv`, or `--out -` for standard output."),
    )
  }
  if (names.length > 1) {
    if (outs.length > 1 || out === "-") {
      return Effect.fail(
        usageError(
          "Several formats need one file name",
          "Give one --out NAME: each format adds its own extension.",
        ),
      )
    }
    const { ending, stem } = parts(out)
    return Effect.succeed(names.map((format) => ({ format, target: `${stem}.${format}${ending}` })))
  }
  if (outs.filter((path) => path === "-").length > 1) {
    return Effect.fail(usageError("Standard output takes one file", "Give --out - once."))
  }
  const unknown = outs.find((path) => names.length === 0 && path !== "-" && ofFile(path) === null)
  if (unknown !== undefined) {
    return Effect.fail(
      usageError(
        `Unknown format for --out ${unknown}`,
        `Use one of the extensions .${formatNames.join(" .")}, or add --format.`,
      ),
    )
  }
  return Effect.succeed(outs.map((target) => ({ format: names[0] ?? ofFile(target) ?? "csv", target })))
}

/** Properties of a target's file: how its name ends, and whether it has sheets. */
export const factsOf = ({
  format,
  target,
}: FormatTarget): Pick<TableWriter.Format, "extensions" | "sheets"> => {
  const { extensions, sheets } = ofName(format)
  const packing = packingOf(target)
  return { sheets, extensions: packing === null ? extensions : [`${extensions[0]}.${packing}`] }
}

/** Whether a target holds records in the service's own shape, and columns only if they are chosen. */
export const holdsRecords = ({ format }: FormatTarget): boolean => ofName(format).holdsRecords === true

/** The writer of a target. */
export const writer = (
  { format, target }: FormatTarget,
  { compression, flavour, formulaGuard, paper }: FormatOptions,
): Effect.Effect<TableWriter.TableWriter> =>
  Effect.promise(async () => {
    const plain = await ofName(format).writer({ compression, flavour, formulaGuard, paper })
    const packing = packingOf(target)
    return packing === null ? plain : (await import("@deedkit/export/run")).compressed(plain, packing)
  })
