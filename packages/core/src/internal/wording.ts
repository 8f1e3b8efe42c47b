/**
 * The English message of an error: what happened, and what the reader can do. It names no option, flag or button, because it is shown by
 * libraries, command lines and browsers. Surfaces with their own texts build them from the reason and its `Action`. No value of a record appears
 * here, and no secret can, because reasons hold none.
 */
import type { ClientErrorFields, Reason, Redirected, TransportFailed } from "../Reason.ts"
import { isTransient } from "../Reason.ts"
import type { Issue } from "./check.ts"

const issueText = (issues: ReadonlyArray<Issue>): string =>
  issues
    .slice(0, 3)
    .map(({ expected, found, path }) => `${path === "" ? "it" : path} should be ${expected} and is ${found}`)
    .join("; ") + (issues.length > 3 ? `; and ${issues.length - 3} more` : "")

const says = (reason: { readonly status: number; readonly serverSays: string | null }): string =>
  reason.serverSays === null ? `${reason.status}` : `${reason.status}, server says "${reason.serverSays}"`

const redirect = ({ location, status }: Redirected): string => {
  if (status === 304)
    return "the service answered that nothing has changed (304), though the request had no condition"
  return location === null
    ? `the service answered with a redirect without a visible target (${status})`
    : `the service answered with a redirect (${status}) to ${location}`
}

const byProxy = ({ proxy }: TransportFailed): string => (proxy === undefined ? "" : ` by the proxy ${proxy}`)

const what = (reason: Reason): string => {
  switch (reason._tag) {
    case "Unauthenticated":
      return `the service did not accept the API key (${says(reason)})`
    case "Forbidden":
      return reason.scope === null
        ? `the API key lacks a scope (${says(reason)})`
        : `the API key lacks the scope ${reason.scope} (${says(reason)})`
    case "NotFound":
      return `not found (${says(reason)})`
    case "Rejected":
      return `the service rejected the request (${says(reason)})`
    case "RateLimited":
      return `rate limited (${says(reason)})${reason.retryAt === null ? "" : `, not before ${reason.retryAt}`}`
    case "ServerFault":
      return `the service failed (${says(reason)})`
    case "Redirected":
      return redirect(reason)
    case "NotTheApi":
      if (reason.status === 101) return "the connection was switched to another protocol (101)"
      return `the answer is ${reason.contentType ?? "of no declared type"}, not JSON (${reason.status})`
    case "BodyInvalid":
      return reason.problem === "json"
        ? `the answer is not valid JSON (${reason.bodyCharacters} characters); it may have been cut off`
        : reason.problem === "encoding"
          ? "the answer is not valid UTF-8, so some of its characters are unknown"
          : `the answer is nested too deeply, or holds too many members or digits (${reason.bodyCharacters} characters)`
    case "NotOk":
      return `the service answered that the request was not ok (${says(reason)})`
    case "EnvelopeInvalid":
      return `the page is not as specified: ${issueText(reason.issues)}`
    case "RecordInvalid":
      return `${reason.id === null ? "a record" : `record ${reason.id}`} is not as specified: ${issueText(reason.issues)}`
    case "ShapeMismatch":
      return reason.expected === "list"
        ? "the service returned one record instead of a list"
        : "the service returned a list instead of one record"
    case "IdentityMismatch":
      return `the service returned record ${reason.got} instead of ${reason.asked}`
    case "CursorIgnored":
      return `the service ignored the cursor in ?${reason.cursorParam}=: ${reason.evidence.text}`
    case "CursorRejected":
      return `the service refused the second page with ?${reason.cursorParam}= (${says(reason)})`
    case "PaginationStalled":
      return `the pagination does not end: ${reason.evidence.text}`
    case "CheckpointRefused":
      return `the checkpoint belongs to another read: its ${reason.mismatch.field} differs`
    case "TransportFailed":
      return reason.phase === "tls"
        ? `the connection${byProxy(reason)} is not trusted (${reason.detail})`
        : reason.phase === "protocol"
          ? `the other side${byProxy(reason)} does not speak the protocol that is expected (${reason.detail})`
          : reason.phase === "body"
            ? `the connection was lost during the answer (${reason.detail})`
            : `no connection${byProxy(reason)} (${reason.detail})`
    case "TimedOut":
      return `no ${reason.which === "connect" ? "connection" : "complete answer"} within ${reason.afterMillis / 1000} s`
    case "BodyTooLarge":
      return `the answer is larger than ${Math.round(reason.maxBodyBytes / 1_048_576)} MiB`
    case "ConfigInvalid":
      return `invalid input: ${reason.setting} ${reason.problem}`
  }
}

const tryLater = "Try again later. If it happens again, contact the service's support with the request id."
const checkArguments =
  "Check the arguments. If they are right, contact the service's support with the request id."
const checkNetwork = "Check the base URL and the network, then try again."

const redirectAdvice = ({ location, sameOrigin, status }: Redirected): string => {
  if (status === 304)
    return "A cache or a proxy may have answered. Check the base URL. If it is right, contact the service's support with the request id."
  if (location === null)
    return "Redirects are not followed, because the key is bound to one host. Check the base URL."
  return sameOrigin
    ? "Redirects are not followed. Set the base URL so that requests go there directly."
    : "Redirects to another host are not followed, because the key is bound to one host. Check the base URL."
}

const next = (reason: Reason): string => {
  switch (reason._tag) {
    case "Unauthenticated":
      return "Check the key: it may be mistyped, revoked, or of another account. Keys are created in the service's dashboard (Settings, Integrations)."
    case "Forbidden":
      return reason.scope === null
        ? "Use a key that has the scope. Keys are created in the service's dashboard."
        : `Create a key with ${reason.scope} in the service's dashboard, and use that one.`
    case "NotFound":
      return "Check the id; for a list, check that the base URL ends just before /v1/."
    case "Rejected":
      return isTransient(reason) ? tryLater : checkArguments
    case "NotOk":
      return checkArguments
    case "RateLimited":
      return reason.retryAt === null
        ? "Wait a while, then try again. If it happens often, send fewer requests per second."
        : "Try again after that time. If it happens often, send fewer requests per second."
    case "BodyInvalid":
      return reason.problem === "json"
        ? tryLater
        : reason.problem === "encoding"
          ? "The answer was not used. Ask the service's support to send UTF-8, or to declare the charset."
          : "Ask for fewer records per page. If one record alone is too large, report it to the service's support."
    case "ServerFault":
      return tryLater
    case "Redirected":
      return redirectAdvice(reason)
    case "NotTheApi":
      return "Check the base URL: a web page, a login page or a proxy answered instead of the API."
    case "EnvelopeInvalid":
    case "ShapeMismatch":
    case "IdentityMismatch":
      return "The answer was not used. Check the base URL. If it is right, the service has changed."
    case "RecordInvalid":
      return "Report this record to the service's support. Lists and exports can continue without such records and report them."
    case "CursorIgnored":
    case "CursorRejected":
      return "The service may take the cursor in another query parameter. Ask its support for the name, and set it as the cursor parameter. No record of the second page was used."
    case "PaginationStalled":
      return reason.evidence.kind === "too-many-pages"
        ? "The records so far are valid, but the list is not complete. Resume from the last checkpoint, and allow more pages."
        : "The records so far are valid, but the list is not complete. Try again later. If it happens again, report it to the service's support: its pagination does not end."
    case "CheckpointRefused":
      return "Start again without the checkpoint, or use the account, address and list of the checkpoint."
    case "TransportFailed":
      return reason.phase === "tls"
        ? "Check the base URL, this machine's date and the server's certificate. A certificate that is not trusted is never accepted."
        : reason.phase === "protocol"
          ? "Check scheme and port of the base URL: https goes to a port with TLS 1.2 or later."
          : checkNetwork
    case "TimedOut":
      if (reason.which === "connect") return checkNetwork
      return reason.which === "deadline"
        ? "Try again. If it happens again, allow more time, or try when the service is less busy."
        : "Try again. If it happens again, allow more time, ask for fewer records per page, or try when the service is less busy."
    case "BodyTooLarge":
      return "Ask for fewer records per page. If one record alone is too large, report it to the service's support."
    case "ConfigInvalid":
      return "Nothing was sent."
  }
}

/** What happened and where, without a full stop. */
export const headline = (error: Omit<ClientErrorFields, "reading">): string => {
  const tries = error.attempts.length > 1 ? ` after ${error.attempts.length} attempts` : ""
  const happened = what(error.reason)
  return error.request === null
    ? happened.charAt(0).toUpperCase() + happened.slice(1)
    : `Could not read ${error.request.subject} from ${error.request.path}${tries}: ${happened}`
}

/** What the reader can do, a full sentence. */
export const advice = (error: Pick<ClientErrorFields, "reason">): string => next(error.reason)
