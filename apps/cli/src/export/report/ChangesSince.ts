/**
 * Selects the export that a report is compared with: the one of `--changes-since`, otherwise the file that the report replaces. Without either, the
 * report has no changes.
 */
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { Account } from "@deedkit/export"
import type { ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as EarlierExport from "./EarlierExport.ts"
import type { ReportChanges } from "./ReportChanges.ts"
import * as Changes from "./ReportChanges.ts"

export interface SinceOptions {
  /** The file of `--changes-since`. */
  readonly given: string | undefined
  /** Whether files may be replaced. */
  readonly overwrite: boolean
  /** The files of the report. */
  readonly paths: ReadonlyArray<string>
  /** Whether the report reads data payloads. */
  readonly hasData: boolean
}

/** Whether the path is a regular file, which can be read to its end, unlike a pipe. */
const isFile = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (found) => found.isFile(),
      () => false,
    ),
  )

const changesSince = (
  path: string,
  hasData: boolean,
): Effect.Effect<ReportChanges, ExportError.ExportError> =>
  Effect.flatMap(EarlierExport.read(path), (earlier) => Changes.make(earlier, hasData))

/**
 * The changes of a report; null if there is nothing to compare it with. Fails if the file of `--changes-since` cannot be used. If a replaced file
 * cannot be read, the cover says so.
 */
export const changes = ({
  given,
  hasData,
  overwrite,
  paths,
}: SinceOptions): Effect.Effect<ReportChanges | null, ExportError.ExportError> =>
  Effect.gen(function* () {
    if (given !== undefined) return yield* changesSince(given, hasData)
    const [path = "-"] = paths
    if (!overwrite || path === "-" || !(yield* isFile(path))) return null
    return yield* Effect.orElseSucceed(changesSince(path, hasData), () =>
      Changes.unknown(Account.clean(basename(path))),
    )
  })
