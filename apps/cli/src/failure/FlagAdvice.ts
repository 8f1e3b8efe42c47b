/**
 * The flag that does what an error of an export advises. The errors themselves name no flags, because they are shown in browsers too. Pure.
 */
import type { ExportError } from "@deedkit/export"

/** A sentence; null where no flag helps. */
export const of = (reason: ExportError.Reason): string | null => {
  switch (reason._tag) {
    case "TargetExists":
      return "--overwrite replaces it."
    case "ResumeRefused":
      return "Without --resume a new export starts."
    case "TimeZonesDiffer":
      return "--time-zone ZONE sets it."
    case "TooManyRejected":
      return "--max-rejects N allows more."
    default:
      return null
  }
}

/** The message of an error with the flag that helps. */
export const message = (error: ExportError.ExportError): string => {
  const advice = of(error.reason)
  return advice === null ? error.message : `${error.message} ${advice}`
}
