/**
 * The writers of the formats, each loaded when it is asked for: a workbook's library is larger than the rest of the program.
 */
import { json, ndjson } from "@deedkit/export"
import type { TableWriter } from "@deedkit/export"
import type { CsvOptions } from "@deedkit/export-csv"
import * as Effect from "effect/Effect"
import type { FormatName } from "./FormatName.ts"
import { formats, ofFile } from "./FormatName.ts"
import type { UsageError } from "../../failure/UsageError.ts"
import { usageError } from "../../failure/UsageError.ts"

export interface FormatOptions {
  readonly flavour: NonNullable<CsvOptions["flavour"]>
  readonly formulaGuard: "on" | "off"
  /** Of a workbook. */
  readonly compression: "fast" | "small"
}

/** A format and its file, or `-`. */
export interface FormatTarget {
  readonly format: FormatName
  readonly target: string
}

/**
 * What `--format` and `--out` say together: the format of a file's name unless one is given; several formats give a file each, with the
 * format as the end of its name.
 */
export const targets = (
  outs: ReadonlyArray<string>,
  names: ReadonlyArray<FormatName>,
): Effect.Effect<ReadonlyArray<FormatTarget>, UsageError> => {
  const [out] = outs
  if (out === undefined) {
    return Effect.fail(usageError("No file is named", "Add --out FILE, or --out - for standard output."))
  }
  if (names.length > 1) {
    if (outs.length > 1 || out === "-") {
      return Effect.fail(
        usageError("Several formats go with one name", "Give one --out NAME; each format adds its own end."),
      )
    }
    const stem = ofFile(out) === null ? out : out.slice(0, out.lastIndexOf("."))
    return Effect.succeed(names.map((format) => ({ format, target: `${stem}.${format}` })))
  }
  const unknown = outs.find((path) => names.length === 0 && path !== "-" && ofFile(path) === null)
  if (unknown !== undefined) {
    return Effect.fail(
      usageError(
        `The name ${unknown} does not say which format it should have`,
        `End it in one of .${formats.join(" .")}, or add --format.`,
      ),
    )
  }
  return Effect.succeed(outs.map((target) => ({ format: names[0] ?? ofFile(target) ?? "csv", target })))
}

/** The writer of a format. */
export const writer = (
  format: FormatName,
  { compression, flavour, formulaGuard }: FormatOptions,
): Effect.Effect<TableWriter.TableWriter> => {
  switch (format) {
    case "json":
      return Effect.succeed(json)
    case "ndjson":
      return Effect.succeed(ndjson)
    case "csv":
    case "tsv":
      return Effect.promise(async () => {
        const csv = await import("@deedkit/export-csv")
        return csv.writer({ flavour: format === "tsv" ? "tsv" : flavour, formulaGuard })
      })
    case "xlsx":
      return Effect.promise(async () => {
        const xlsx = await import("@deedkit/export-xlsx")
        return xlsx.writer({ level: compression })
      })
  }
}
