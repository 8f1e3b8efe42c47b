/**
 * The formats and files of an export, and their writers. A writer is loaded when it is asked for: a workbook's library is larger than the
 * rest of the program.
 */
import type { TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { FlavourName, FormatName } from "./FormatName.ts"
import { names as formatNames, ofFile, ofName } from "./FormatName.ts"
import type { Failure } from "../../failure/Failure.ts"
import { usageError } from "../../failure/Failure.ts"

export interface FormatOptions {
  readonly flavour: FlavourName
  readonly formulaGuard: "on" | "off"
  /** Of a workbook. */
  readonly compression: "fast" | "small"
  /** Of a workbook. Default `a4`. */
  readonly paper?: "a4" | "letter" | undefined
}

/** A format and its file, or `-`. */
export interface FormatTarget {
  readonly format: FormatName
  readonly target: string
}

/**
 * The files of `--format` and `--out`: the format is that of the file's extension unless `--format` is given; several formats give one file
 * each, with the format as its extension.
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
    const stem = ofFile(out) === null ? out : out.slice(0, out.lastIndexOf("."))
    return Effect.succeed(names.map((format) => ({ format, target: `${stem}.${format}` })))
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

/** The writer of a format. */
export const writer = (
  format: FormatName,
  { compression, flavour, formulaGuard, paper }: FormatOptions,
): Effect.Effect<TableWriter.TableWriter> =>
  Effect.promise(() => ofName(format).writer({ compression, flavour, formulaGuard, paper }))
