/**
 * Which export a report is compared with: the one of `--changes-since`, else the file that the report replaces. Without either it has no changes.
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
  /** Where the report goes. */
  readonly paths: ReadonlyArray<string>
  /** Whether its data payloads are read. */
  readonly hasData: boolean
}

/** Whether there is a file that can be read to its end. A pipe has none. */
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
 * The changes of a report; null where there is nothing to compare it with. Fails with what is wrong with the file of `--changes-since`. Of a file that
 * is replaced and cannot be read the cover says so.
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
