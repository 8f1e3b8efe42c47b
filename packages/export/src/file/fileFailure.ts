/** Maps the platform's error codes to export errors. Codes that a user can act on have their own reason. */
import type { NotOwn } from "@deedkit/core/own-file"
import type { FileStep, Reason } from "../error/ExportError.ts"
import { ExportError } from "../error/ExportError.ts"

const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : null

const reasonOf = (step: FileStep, path: string, code: string | null): Reason => {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { _tag: "DiskFull", path }
    case "EPIPE":
    case "ERR_STREAM_DESTROYED":
      return { _tag: "SinkClosed", target: path }
    case "EEXIST":
      return { _tag: "TargetExists", path }
    case "ENAMETOOLONG":
      return { _tag: "NameTooLong", path }
    case "EBUSY":
      if (process.platform === "win32") return { _tag: "TargetBusy", path }
      return step === "rename" ? { _tag: "TargetMounted", path } : { _tag: "FileFailed", path, step, code }
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return step === "read"
        ? { _tag: "FileFailed", path, step, code }
        : { _tag: "TargetNotWritable", path, code }
    case "ENOENT":
      return step === "inspect" || step === "read"
        ? { _tag: "FileMissing", path }
        : { _tag: "FileFailed", path, step, code }
    default:
      return { _tag: "FileFailed", path, step, code }
  }
}

/** The error of a step that failed at a path; an `ExportError` stays as it is. */
export const fileFailure =
  (step: FileStep, path: string) =>
  (cause: unknown): ExportError =>
    cause instanceof ExportError
      ? cause
      : new ExportError({
          reason:
            codeOf(cause) === "NOT_OWN"
              ? { _tag: "NotOwn", path: (cause as NotOwn).path, problem: (cause as NotOwn).problem }
              : reasonOf(step, path, codeOf(cause)),
        })
