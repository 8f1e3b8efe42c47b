/**
 * Findings from reading one record: whether the retrieve form gives the requested record (Spec: Endpoints 1), and the answer to an id that does
 * not exist, which is not shown (Spec: Errors 3). Pure.
 */
import type { ClientError } from "@deedkit/core"
import type { Finding } from "./Finding.ts"
import * as Findings from "./Finding.ts"
import { isUsedUp } from "./ObservedAnswers.ts"
import * as Catalogue from "../failure/Catalogue.ts"

const finding = Findings.of("Records")

/** One record by an id that a list has just named; null when it came. */
export const byId = (error: ClientError.ClientError | null): Finding => {
  const about = "one by id"
  if (error === null) return finding(about, "the requested record", "verified")
  return isUsedUp(error)
    ? finding(about, Findings.notAsked, "unknown")
    : finding(about, Catalogue.ofClient(error.reason).headline, "verified", { problem: true })
}

/** One record by an id that is most unlikely to exist; null when a record came. */
export const unknownId = (error: ClientError.ClientError | null): Finding => {
  const about = "unknown id"
  if (error === null)
    return finding(about, "the service returned a record for an id that should not exist", "verified")
  if (isUsedUp(error)) return finding(about, Findings.notAsked, "unknown")
  const { reason } = error
  if (reason._tag === "NotFound") return finding(about, `answered with ${reason.status}`, "verified")
  return finding(
    about,
    "status" in reason ? `answered with ${reason.status}` : Catalogue.ofClient(reason).headline,
    "verified",
    {
      evidence: "commands unknown such an answer from another refusal",
      problem: reason._tag !== "Rejected",
    },
  )
}
