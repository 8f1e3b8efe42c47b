/**
 * What asking for one record says about the server: whether the retrieve form gives the record that was asked for (Spec: Endpoints 1), and
 * what comes for an id that does not exist, which is not shown (Spec: Errors 3). Pure.
 */
import type { ClientError } from "@deedkit/core"
import type { Finding } from "./Finding.ts"
import * as Findings from "./Finding.ts"
import { isUsedUp } from "./ObservedAnswers.ts"
import * as ReasonText from "../failure/ReasonText.ts"

const finding = Findings.of("Records")

/** One record by an id that a list has just named; null when it came. */
export const byId = (error: ClientError.ClientError | null): Finding => {
  const about = "one by id"
  if (error === null) return finding(about, "the record that was asked for", "verified")
  return isUsedUp(error)
    ? finding(about, Findings.notAsked, "cannot tell")
    : finding(about, ReasonText.words(error.reason), "verified", { trouble: true })
}

/** One record by an id that is most unlikely to exist; null when a record came. */
export const unknownId = (error: ClientError.ClientError | null): Finding => {
  const about = "unknown id"
  if (error === null) return finding(about, "a record came for an id that should not exist", "verified")
  if (isUsedUp(error)) return finding(about, Findings.notAsked, "cannot tell")
  const { reason } = error
  if (reason._tag === "NotFound") return finding(about, `answered with ${reason.status}`, "verified")
  return finding(
    about,
    "status" in reason ? `answered with ${reason.status}` : ReasonText.words(reason),
    "verified",
    {
      evidence: "commands cannot tell such an answer from another refusal",
      trouble: reason._tag !== "Rejected",
    },
  )
}
