/**
 * The sentences of errors: what happened, and what the reader can do. One place, so that the command line, the extension and a log say
 * the same. They name no option, flag or button, because the readers of one have not got those of another. No value of a record appears
 * here, and no secret can: reasons hold none.
 */
import type { ClientErrorFields } from "./ClientErrorFields.ts"
import type { Reason, Redirected } from "./Reason.ts"
import type { Issue } from "../model/check.ts"

const issueText = (issues: ReadonlyArray<Issue>): string =>
  issues
    .slice(0, 3)
    .map(({ expected, found, path }) => `${path === "" ? "it" : path} should be ${expected} and is ${found}`)
    .join("; ") + (issues.length > 3 ? `; and ${issues.length - 3} more` : "")

const says = (reason: { readonly status: number; readonly serverSays: string | null }): string =>
  reason.serverSays === null ? `${reason.status}` : `${reason.status}, server says "${reason.serverSays}"`

const redirect = ({ location, status }: Redirected): string => {
  if (status === 304) return "the service answered that nothing has changed (304), which nobody had asked"
  return location === null
    ? `the service answered with a redirect that does not show where to (${status})`
    : `the service answered with a redirect (${status}) to ${location}`
}

const what = (reason: Reason): string => {
  switch (reason._tag) {
    case "Unauthenticated":
      return `the service did not accept the API key (${says(reason)})`
    case "Forbidden":
      return reason.scope === null
        ? `the API key is not allowed to do this (${says(reason)})`
        : `the API key lacks the scope ${reason.scope} (${says(reason)})`
    case "NotFound":
      return `not found (${says(reason)})`
    case "Rejected":
      return `the service refused the request (${says(reason)})`
    case "RateLimited":
      return `rate limited (${says(reason)})${reason.retryAt === null ? "" : `, not before ${reason.retryAt}`}`
    case "ServerFault":
      return `the service failed (${says(reason)})`
    case "Redirected":
      return redirect(reason)
    case "NotTheApi":
      if (reason.status === 101) return "the connection was switched to another protocol (101)"
      return `the answer is ${reason.contentType ?? "of no stated type"}, not JSON (${reason.status})`
    case "BodyInvalid":
      return reason.problem === "json"
        ? `the answer is not readable as JSON, it may have been cut (${reason.bodyCharacters} characters)`
        : "the text of the answer is not UTF-8, so some of its characters are not known"
    case "NotOk":
      return `the service answered that the request was not ok (${says(reason)})`
    case "EnvelopeInvalid":
      return `the page is not as specified: ${issueText(reason.issues)}`
    case "RecordInvalid":
      return `${reason.id === null ? "a record" : `record ${reason.id}`} is not as specified: ${issueText(reason.issues)}`
    case "ShapeMismatch":
      return reason.expected === "list"
        ? "one record came where a list was asked for"
        : "a list came where one record was asked for"
    case "IdentityMismatch":
      return `record ${reason.got} came where ${reason.asked} was asked for`
    case "CursorIgnored":
      return `the service did not go on to the second page with ?${reason.cursorParam}=: ${reason.evidence.text}`
    case "CursorRejected":
      return `the service refused the second page with ?${reason.cursorParam}= (${says(reason)})`
    case "PaginationStalled":
      return `the pages do not come to an end: ${reason.evidence.text}`
    case "CheckpointRefused":
      return `the checkpoint belongs to another read: its ${reason.mismatch.field} differs`
    case "TransportFailed":
      return reason.phase === "tls"
        ? `no trusted connection (${reason.detail})`
        : reason.phase === "body"
          ? `the answer broke off (${reason.detail})`
          : `no connection (${reason.detail})`
    case "TimedOut":
      return `no ${reason.which === "connect" ? "connection" : "complete answer"} within ${reason.afterMillis / 1000} s`
    case "BodyTooLarge":
      return `the answer is larger than ${Math.round(reason.maxBodyBytes / 1_048_576)} MiB`
    case "ConfigInvalid":
      return `${reason.setting}: ${reason.problem}`
  }
}

const tryLater = "Try again later; if it stays, ask the service's support, with the request id."

const next = (reason: Reason): string => {
  switch (reason._tag) {
    case "Unauthenticated":
      return "Check the key: it may be mistyped, revoked, or of another account. Keys are made in the service's dashboard (Settings, Integrations)."
    case "Forbidden":
      return reason.scope === null
        ? "Give the key the scope it needs in the service's dashboard, or use another key."
        : `Make a key with ${reason.scope} in the service's dashboard, and use that one.`
    case "NotFound":
      return "Check the id; for a list, check that the base URL ends just before /v1/."
    case "Rejected":
    case "NotOk":
      return "Check the arguments; if they are right, ask the service's support, with the request id."
    case "RateLimited":
      return reason.retryAt === null
        ? "Wait a while, then try again. If it happens often, send fewer requests per second."
        : "Try again after that time. If it happens often, send fewer requests per second."
    case "BodyInvalid":
      return reason.problem === "json"
        ? tryLater
        : "Nothing of this answer was used. Tell the service that it must send UTF-8, or name the charset that it sends."
    case "ServerFault":
      return tryLater
    case "Redirected":
      if (reason.location === null) {
        return reason.status === 304
          ? "A cache or a proxy on the way may be at fault. Check the base URL; if it is right, ask the service's support, with the request id."
          : "Redirects are not followed, because the key belongs to one host. Check the base URL."
      }
      return reason.sameOrigin
        ? "Set the base URL so that requests go there directly; redirects are not followed."
        : "Redirects to another host are not followed, because the key belongs to one host. Check the base URL."
    case "NotTheApi":
      return "Check the base URL: a web page, a login page or a proxy answered instead of the API."
    case "EnvelopeInvalid":
    case "ShapeMismatch":
    case "IdentityMismatch":
      return "Nothing of this answer was used. Check the base URL; if it is right, the service has changed."
    case "RecordInvalid":
      return "Tell the service's support about this record. Lists and exports can continue without such records and report them."
    case "CursorIgnored":
    case "CursorRejected":
      return "The service may take the cursor in another query parameter. Ask its support for the name, and set it as the cursor parameter where that can be set. No record of the second page was used."
    case "PaginationStalled":
      return "The records so far are real, but the list is not complete. Try again; if it stays, the server's paging is at fault."
    case "CheckpointRefused":
      return "Start again without the checkpoint, or use the account, address and list that it was made with."
    case "TransportFailed":
      return reason.phase === "tls"
        ? "Check the address and this machine's date; a certificate that is not trusted is never accepted."
        : "Check the address and the network, then try again."
    case "TimedOut":
      return reason.which === "deadline"
        ? "Try again. If it happens again, allow more time, or try when the service is less busy."
        : "Try again. If it happens again, allow more time, ask for fewer records per page, or try when the service is less busy."
    case "BodyTooLarge":
      return "Ask for fewer records per page, or tell the service's support that its answers are too large."
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
