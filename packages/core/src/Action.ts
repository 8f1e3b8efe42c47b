/**
 * What the reader of an error can do, as an id. A surface (command line, extension, a tool) builds its own texts on reason and action, because
 * only the surface knows its flags and buttons. The English advice in a `ClientError`'s message says the same without naming flags or buttons.
 */
import type { Reason } from "./Reason.ts"
import { isTransient } from "./Reason.ts"

/** Every action. */
export const actions = [
  "check-key",
  "ask-for-scope",
  "check-id-or-address",
  "check-request",
  "check-address",
  "check-network",
  "check-certificate",
  "wait",
  "retry-later",
  "allow-more-time",
  "reduce-page-size",
  "set-cursor-parameter",
  "resume",
  "start-again",
  "report-to-support",
  "fix-setting",
] as const

/**
 * What the reader can do.
 *
 * - `check-key`: check that the key is right, not revoked and of this account.
 * - `ask-for-scope`: get a key that grants the scope.
 * - `check-id-or-address`: check the id; for a list, the base URL.
 * - `check-request`: check the arguments of the call.
 * - `check-address`: check the base URL; something other than the API answered, or the API has changed.
 * - `check-network`: check the base URL and the network, then try again.
 * - `check-certificate`: check the base URL, the machine's date and the server's certificate.
 * - `wait`: wait until `retryAt`, or for a while if it is null.
 * - `retry-later`: try again later without any change.
 * - `allow-more-time`: try again with longer time limits.
 * - `reduce-page-size`: ask for fewer records per page.
 * - `set-cursor-parameter`: find out the query parameter that takes the cursor, and set it.
 * - `resume`: resume from the last checkpoint, with a higher limit of pages.
 * - `start-again`: start without the checkpoint, or use the one of this account, address and list.
 * - `report-to-support`: tell the service's support; nothing else helps.
 * - `fix-setting`: correct the setting or argument that the error names; nothing was sent.
 */
export type Action = (typeof actions)[number]

const bodyAction = {
  json: "retry-later",
  encoding: "report-to-support",
  limits: "reduce-page-size",
} as const

/** The action for a reason. Pure and exhaustive: a new reason does not compile without one. */
export const actionOf = (reason: Reason): Action => {
  switch (reason._tag) {
    case "Unauthenticated":
      return "check-key"
    case "Forbidden":
      return "ask-for-scope"
    case "NotFound":
      return "check-id-or-address"
    case "Rejected":
      return isTransient(reason) ? "retry-later" : "check-request"
    case "NotOk":
      return "check-request"
    case "RateLimited":
      return "wait"
    case "ServerFault":
      return "retry-later"
    case "Redirected":
    case "NotTheApi":
    case "EnvelopeInvalid":
    case "ShapeMismatch":
    case "IdentityMismatch":
      return "check-address"
    case "BodyInvalid":
      return bodyAction[reason.problem]
    case "RecordInvalid":
      return "report-to-support"
    case "CursorIgnored":
    case "CursorRejected":
      return "set-cursor-parameter"
    case "PaginationStalled":
      return reason.evidence.kind === "too-many-pages" ? "resume" : "retry-later"
    case "CheckpointRefused":
      return "start-again"
    case "TransportFailed":
      return reason.phase === "tls" ? "check-certificate" : "check-network"
    case "TimedOut":
      return reason.which === "connect" ? "check-network" : "allow-more-time"
    case "BodyTooLarge":
      return "reduce-page-size"
    case "ConfigInvalid":
      return "fix-setting"
  }
}
