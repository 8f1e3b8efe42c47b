/**
 * Why a request failed, in the few words that fit into a list of findings. The whole sentence with its advice is the error's own message;
 * it is shown once, where the command ends. Pure.
 */
import type { ClientError } from "@deedkit/core"

type Issues = ClientError.EnvelopeInvalid["issues"]

const firstOf = ([issue]: Issues): string =>
  issue === undefined
    ? ""
    : `: ${issue.path === "" ? "it" : issue.path} should be ${issue.expected} and is ${issue.found}`

/** A clause without a full stop. Holds no value of a record and no key. */
export const words = (reason: ClientError.Reason): string => {
  switch (reason._tag) {
    case "Unauthenticated":
      return `the key is not accepted (${reason.status})`
    case "Forbidden":
      return reason.scope === null
        ? `not allowed (${reason.status})`
        : `the scope ${reason.scope} is missing (${reason.status})`
    case "NotFound":
      return `not found (${reason.status})`
    case "Rejected":
    case "CursorRejected":
      return `refused (${reason.status})`
    case "RateLimited":
      return `rate limited just now (${reason.status})`
    case "ServerFault":
      return `the service failed (${reason.status})`
    case "Redirected":
      return `sent elsewhere${reason.location === null ? "" : `, to ${reason.location}`} (${reason.status})`
    case "NotTheApi":
      return `answered with ${reason.contentType ?? "something of no stated type"}, not with JSON`
    case "BodyInvalid":
      return reason.problem === "encoding"
        ? "the text of the answer is not UTF-8"
        : "the answer is not readable as JSON"
    case "NotOk":
      return "the service answered that the request was not ok"
    case "EnvelopeInvalid":
      return `the page is not as specified${firstOf(reason.issues)}`
    case "RecordInvalid":
      return `the record is not as specified${firstOf(reason.issues)}`
    case "ShapeMismatch":
      return reason.expected === "list"
        ? "one record came where a list was asked for"
        : "a list came where one record was asked for"
    case "IdentityMismatch":
      return `record ${reason.got} came where ${reason.asked} was asked for`
    case "CursorIgnored":
    case "PaginationStalled":
      return reason.evidence.text
    case "CheckpointRefused":
      return `the checkpoint's ${reason.mismatch.field} differs`
    case "TransportFailed":
      return reason.phase === "tls"
        ? `the certificate is not trusted (${reason.detail})`
        : reason.phase === "body"
          ? "the answer broke off"
          : `no connection (${reason.code ?? reason.detail})`
    case "TimedOut":
      return `no answer within ${reason.afterMillis / 1_000} s`
    case "BodyTooLarge":
      return "the answer is too large"
    case "ConfigInvalid":
      return `${reason.setting}: ${reason.problem}`
  }
}
