/** Maps errors of SQLite to reasons. Pure. */
import type { SyncError } from "../mirror/SyncError.ts"
import { syncError } from "../mirror/SyncError.ts"

const numberOf = (error: unknown): number | null =>
  typeof error === "object" && error !== null && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : null

/** Whether an error is about rows that a sync has not written. */
const isOfRows = (cause: unknown): boolean =>
  // A text of the mirror that is not JSON, although it was written as JSON; SQLite has its own message for it.
  cause instanceof SyntaxError ||
  (cause instanceof Error &&
    (cause.message === "malformed JSON" ||
      // A number that JavaScript cannot represent.
      ("code" in cause && cause.code === "ERR_OUT_OF_RANGE"))) ||
  // A row that the tables refuse, such as a version that already exists.
  ((numberOf(cause) ?? 0) & 0xff) === 19

/**
 * The error of SQLite as a reason. Its extended code holds the primary one in the lowest byte. `account` is the account whose rows are read and
 * written; null for rows of several accounts. Defects pass through.
 */
export const failed = (path: string, cause: unknown, account: string | null = null): SyncError => {
  if (typeof cause === "object" && cause !== null && "_tag" in cause && cause._tag === "SyncError")
    return cause as SyncError
  if (isOfRows(cause))
    return syncError(
      account === null ? { _tag: "MirrorDamaged", path } : { _tag: "AccountDamaged", path, account },
    )
  const code = numberOf(cause)
  if (code === null) throw cause
  const { message } = cause as Error
  // The statements match the tables of a mirror, so these were changed.
  if (/^no such (?:table|column):| has no column named /.test(message))
    return syncError({ _tag: "MirrorDamaged", path })
  switch (code & 0xff) {
    case 5:
    case 6:
      return syncError({ _tag: "MirrorLocked", path })
    case 8:
      return syncError({ _tag: "MirrorReadOnly", path })
    case 11:
      return syncError({ _tag: "MirrorDamaged", path })
    case 13:
      return syncError({ _tag: "DiskFull", path })
    case 14:
      return syncError({ _tag: "MirrorUnopenable", path, code: "SQLITE_CANTOPEN" })
    case 26:
      return syncError({ _tag: "NotAMirror", path })
    default:
      return syncError({ _tag: "SqliteFailed", path, code, problem: message })
  }
}
