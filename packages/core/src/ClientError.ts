/**
 * The one error of this client, with a tagged `reason` and an action id.
 *
 * The specification promises a single error status, 429 (Spec: Errors 1). Every other classification here is ours: such an error has
 * `documented: false`. Reasons are plain data, so that they can be logged, sent over a message port and matched on; they hold no key, no header
 * and no whole body.
 */
import * as Data from "effect/Data"
import type { ReadSummary } from "./Page.ts"
import type { CheckpointMismatch, CursorEvidence, StallEvidence } from "./internal/cursor.ts"
import type { Issue } from "./internal/check.ts"

/** The status of an answer and the message in its body. */
export interface ServerSays {
  readonly status: number
  /** For people: at most 200 characters, no control characters, the key redacted. Null where the body has no message. */
  readonly serverSays: string | null
}

interface Fields {
  /** 401: the key is missing, wrong or revoked. */
  readonly Unauthenticated: ServerSays
  /** 403: the key lacks a scope; `scope` is the one that the endpoint needs, null where the specification does not say. */
  readonly Forbidden: ServerSays & { readonly scope: string | null }
  /** 404 or 410: there is no such record, or no such endpoint under this base URL. */
  readonly NotFound: ServerSays
  /** Any other 4xx. */
  readonly Rejected: ServerSays
  /** 429, and the wait is longer than allowed or the attempts are used up. `retryAt` is the earliest time to retry, ISO 8601 UTC. */
  readonly RateLimited: ServerSays & {
    readonly retryAt: string | null
    readonly source: "retry-after" | "backoff"
  }
  /** 5xx. */
  readonly ServerFault: ServerSays
  /**
   * 3xx: redirects are never followed, because the key is bound to one origin. `location` has no query; it is null where the answer names
   * none, as with a 304, and in browsers, which hide it.
   */
  readonly Redirected: {
    readonly status: number
    readonly location: string | null
    readonly sameOrigin: boolean
  }
  /** A 2xx that is not JSON, such as the page of a proxy, a login or a web site; or a 101, which switches to another protocol. */
  readonly NotTheApi: { readonly status: number; readonly contentType: string | null }
  /**
   * A 2xx that cannot be used. `problem` is `partial` when its status says that it is not the whole answer, or not yet: 202 and 206. It is `json` when its type is JSON and its text is not, because it was cut off or damaged in transit. It is
   * `encoding` when its text is neither UTF-8 nor in the charset that it declares, so that some of its characters are unknown. It is `limits` when it is
   * nested more than 512 levels deep, or has a number of more than 4,096 digits, an object of more than 10,000 members, or more than 250,000 values
   * and escaped characters of fewer than 12 characters each, of which an object counts as three and an array as two, or more than 550,000 beside an
   * integer of 16 digits: a body of a few megabytes could otherwise fill the memory.
   */
  readonly BodyInvalid: {
    readonly status: number
    readonly problem: "json" | "encoding" | "limits" | "partial"
    readonly bodyCharacters: number
  }
  /** A 2xx whose `ok` is not `true`. */
  readonly NotOk: ServerSays
  /** A list answer without `items` or with an unusable `next_before_id`. */
  readonly EnvelopeInvalid: { readonly issues: ReadonlyArray<Issue> }
  /** A record that is not as specified; `id` when it could be read. */
  readonly RecordInvalid: { readonly id: number | null; readonly issues: ReadonlyArray<Issue> }
  /** The service returned a list instead of one record, or the other way round. */
  readonly ShapeMismatch: { readonly expected: "list" | "retrieve" }
  /** The service returned a record with another id than the requested one. */
  readonly IdentityMismatch: { readonly asked: number; readonly got: number }
  /** The server ignored the cursor: the second page is not another page. */
  readonly CursorIgnored: { readonly cursorParam: string; readonly evidence: CursorEvidence }
  /** The first page was fine and the second, with the cursor, was refused. */
  readonly CursorRejected: ServerSays & { readonly cursorParam: string }
  /** A read whose pages repeat or bring no new records, or that has more pages than `maxPages`. */
  readonly PaginationStalled: { readonly evidence: StallEvidence }
  /** A checkpoint that belongs to another read, or whose cursor the service no longer accepts. */
  readonly CheckpointRefused: { readonly mismatch: CheckpointMismatch }
  /** No complete answer: DNS, connection, TLS, or a body that was cut off. `code` is the platform's, like `ECONNREFUSED`. */
  readonly TransportFailed: {
    /** `tls`: the certificate is not trusted. `protocol`: the other side speaks another protocol, or an old version, or its answer is malformed. */
    readonly phase: "connect" | "tls" | "protocol" | "request" | "body"
    readonly code: string | null
    readonly detail: string
    /** The proxy that the request took; absent for a direct connection. */
    readonly proxy?: string | undefined
  }
  readonly TimedOut: {
    readonly which: "connect" | "attempt" | "idle" | "deadline"
    readonly afterMillis: number
  }
  readonly BodyTooLarge: { readonly maxBodyBytes: number }
  /** A setting or an argument that cannot work; nothing was sent. */
  readonly ConfigInvalid: { readonly setting: string; readonly problem: string }
}

export type ReasonTag = keyof Fields

/** Every way to fail. The union is exhaustive: `match` makes the compiler require each. */
export type Reason = { readonly [Tag in ReasonTag]: { readonly _tag: Tag } & Fields[Tag] }[ReasonTag]

export type ReasonOf<Tag extends ReasonTag> = Extract<Reason, { readonly _tag: Tag }>

/** One attempt of a failed request: when it began, how it ended, and the wait after it. */
export interface AttemptRecord {
  /** Start of the attempt, ISO 8601 UTC. */
  readonly at: string
  /** HTTP status; null when no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  readonly reason: ReasonTag
  /** Where the attempt failed, for failures of the transport and time limits; null for other failures. */
  readonly phase: string | null
  /** Wait after this attempt in milliseconds; null when there was no further attempt. */
  readonly waitedMillis: number | null
  /** What set the length of the wait, `retry-after` or `backoff`; after the last attempt, why it was the last. */
  readonly why: string | null
}

export interface ClientErrorFields {
  readonly reason: Reason
  /** Method, path, and subject, like `contract 12`; null for errors before any request. */
  readonly request: { readonly method: string; readonly path: string; readonly subject: string } | null
  /** The service's id of the last answer, if it sent one. */
  readonly requestId: string | null
  /** The attempts of the failed call, the first one first; empty for errors before any request. */
  readonly attempts: ReadonlyArray<AttemptRecord>
  /** How far the read came; null outside of reads. */
  readonly reading: ReadSummary | null
}

// What the reader of an error can do, as an id. A surface builds its own texts on reason and action, because only the surface knows its flags and
// buttons. The English advice in a `ClientError`'s message says the same without naming flags or buttons.

export const actions = [
  "check-key", // check that the key is right, not revoked and of this account
  "ask-for-scope", // get a key that grants the scope
  "check-id-or-address", // check the id; for a list, the base URL
  "check-request", // check the arguments of the call
  "check-address", // check the base URL; something other than the API answered, or the API has changed
  "check-network", // check the base URL and the network, then try again
  "check-certificate", // check the base URL, the machine's date and the server's certificate
  "wait", // wait until `retryAt`, or for a while if it is null
  "retry-later", // try again later without any change
  "allow-more-time", // try again with longer time limits
  "reduce-page-size", // ask for fewer records per page
  "set-cursor-parameter", // find out the query parameter that takes the cursor, and set it
  "resume", // resume from the last checkpoint, with a higher limit of pages
  "start-again", // start without the checkpoint, or use the one of this account, address and list
  "report-to-support", // tell the service's support; nothing else helps
  "fix-setting", // correct the setting or argument that the error names; nothing was sent
] as const

/** What the reader can do. */
export type Action = (typeof actions)[number]

const transientBelow500: ReadonlySet<number> = new Set([408, 425, 429])
/** Not implemented, HTTP version, storage, loop, and a network that wants a sign-in. All others are transient, those of gateways (520 to 530) too. */
const lastingFrom500: ReadonlySet<number> = new Set([501, 505, 507, 508, 511])

const isTransientStatus = ({ status }: ServerSays): boolean =>
  status < 500 ? transientBelow500.has(status) : !lastingFrom500.has(status)

const mayComeWhole = ({ problem }: ReasonOf<"BodyInvalid">): boolean =>
  problem === "json" || problem === "partial"

const tryLater = "Try again later. If it happens again, contact the service's support with the request id."
const checkArguments =
  "Check the arguments. If they are right, contact the service's support with the request id."
const checkNetwork = "Check the base URL and the network, then try again."
const checkBaseUrl = "The answer was not used. Check the base URL. If it is right, the service has changed."
const nameCursor =
  "The service may take the cursor in another query parameter. Ask its support for the name, and set it as the cursor parameter. No record of the second page was used."
const smallerPages =
  "Ask for fewer records per page. If one record alone is too large, report it to the service's support."

const issueText = (issues: ReadonlyArray<Issue>): string =>
  issues
    .slice(0, 3)
    .map(({ expected, found, path }) => `${path === "" ? "it" : path} should be ${expected} and is ${found}`)
    .join("; ") + (issues.length > 3 ? `; and ${issues.length - 3} more` : "")

const says = ({ serverSays, status }: ServerSays): string =>
  serverSays === null ? `${status}` : `${status}, server says "${serverSays}"`

const byProxy = ({ proxy }: ReasonOf<"TransportFailed">): string =>
  proxy === undefined ? "" : ` through the proxy ${proxy}`

interface Facts<R> {
  /** Whether the failure can go away by itself, so that the client retries it; it cannot where this is absent. */
  readonly isTransient?: (reason: R) => boolean
  readonly action: Action | ((reason: R) => Action)
  /**
   * The English message: what happened, and what the reader can do. It names no option, flag or button, because it is shown by libraries, command
   * lines and browsers. Surfaces with their own texts build them from the reason and its action. No value of a record appears here, and no secret
   * can, because reasons hold none.
   */
  readonly what: (reason: R) => string
  readonly advice: string | ((reason: R) => string)
}

const facts: { readonly [Tag in ReasonTag]: Facts<ReasonOf<Tag>> } = {
  Unauthenticated: {
    action: "check-key",
    what: (reason) => `the service did not accept the API key (${says(reason)})`,
    advice:
      "Check the key: it may be mistyped, revoked, or of another account. Keys are created in the service's dashboard (Settings, Integrations).",
  },
  Forbidden: {
    action: "ask-for-scope",
    what: (reason) =>
      `the API key lacks ${reason.scope === null ? "a scope" : `the scope ${reason.scope}`} (${says(reason)})`,
    advice: ({ scope }) =>
      scope === null
        ? "Use a key that has the scope. Keys are created in the service's dashboard."
        : `Create a key with ${scope} in the service's dashboard, and use that one.`,
  },
  NotFound: {
    action: "check-id-or-address",
    what: (reason) => `not found (${says(reason)})`,
    advice: "Check the id; for a list, check that the base URL ends just before /v1/.",
  },
  Rejected: {
    isTransient: isTransientStatus,
    action: (reason) => (isTransientStatus(reason) ? "retry-later" : "check-request"),
    what: (reason) => `the service rejected the request (${says(reason)})`,
    advice: (reason) => (isTransientStatus(reason) ? tryLater : checkArguments),
  },
  RateLimited: {
    isTransient: isTransientStatus,
    action: "wait",
    what: (reason) =>
      `rate limited (${says(reason)})${reason.retryAt === null ? "" : `, not before ${reason.retryAt}`}`,
    advice: ({ retryAt }) =>
      `${retryAt === null ? "Wait a while, then try again." : "Try again after that time."} If it happens often, send fewer requests per second.`,
  },
  ServerFault: {
    isTransient: isTransientStatus,
    action: "retry-later",
    what: (reason) => `the service failed (${says(reason)})`,
    advice: tryLater,
  },
  Redirected: {
    action: "check-address",
    what: ({ location, status }) => {
      if (status === 304)
        return "the service answered that nothing has changed (304), though the request had no condition"
      return location === null
        ? `the service answered with a redirect without a visible target (${status})`
        : `the service answered with a redirect (${status}) to ${location}`
    },
    advice: ({ location, sameOrigin, status }) => {
      if (status === 304)
        return "A cache or a proxy may have answered. Check the base URL. If it is right, contact the service's support with the request id."
      if (location === null)
        return "Redirects are not followed, because the key is bound to one host. Check the base URL."
      return sameOrigin
        ? "Redirects are not followed. Set the base URL so that requests go there directly."
        : "Redirects to another host are not followed, because the key is bound to one host. Check the base URL."
    },
  },
  NotTheApi: {
    action: "check-address",
    what: ({ contentType, status }) =>
      status === 101
        ? "the connection was switched to another protocol (101)"
        : `the answer is ${contentType ?? "of no declared type"}, not JSON (${status})`,
    advice: "Check the base URL: a web page, a login page or a proxy answered instead of the API.",
  },
  BodyInvalid: {
    isTransient: mayComeWhole,
    action: (reason) =>
      mayComeWhole(reason)
        ? "retry-later"
        : reason.problem === "encoding"
          ? "report-to-support"
          : "reduce-page-size",
    what: ({ bodyCharacters, problem, status }) =>
      problem === "partial"
        ? `the answer is not the whole one, by its status (${status})`
        : problem === "json"
          ? `the answer is not valid JSON (${bodyCharacters} characters); it may have been cut off`
          : problem === "encoding"
            ? "the answer is not valid UTF-8, so some of its characters are unknown"
            : `the answer is nested too deeply, or holds too many values or digits (${bodyCharacters} characters)`,
    advice: (reason) =>
      mayComeWhole(reason)
        ? tryLater
        : reason.problem === "encoding"
          ? "The answer was not used. Ask the service's support to send UTF-8, or to declare the charset."
          : smallerPages,
  },
  NotOk: {
    action: "check-request",
    what: (reason) => `the service answered that the request was not ok (${says(reason)})`,
    advice: checkArguments,
  },
  EnvelopeInvalid: {
    action: "check-address",
    what: ({ issues }) => `the page is not as specified: ${issueText(issues)}`,
    advice: checkBaseUrl,
  },
  RecordInvalid: {
    action: "report-to-support",
    what: ({ id, issues }) =>
      `${id === null ? "a record" : `record ${id}`} is not as specified: ${issueText(issues)}`,
    advice:
      "Report this record to the service's support. Lists and exports can continue without such records and report them.",
  },
  ShapeMismatch: {
    action: "check-address",
    what: ({ expected }) =>
      expected === "list"
        ? "the service returned one record instead of a list"
        : "the service returned a list instead of one record",
    advice: checkBaseUrl,
  },
  IdentityMismatch: {
    action: "check-address",
    what: ({ asked, got }) => `the service returned record ${got} instead of ${asked}`,
    advice: checkBaseUrl,
  },
  CursorIgnored: {
    action: "set-cursor-parameter",
    what: ({ cursorParam, evidence }) =>
      `the service ignored the cursor in ?${cursorParam}=: ${evidence.text}`,
    advice: nameCursor,
  },
  CursorRejected: {
    action: "set-cursor-parameter",
    what: (reason) => `the service refused the second page with ?${reason.cursorParam}= (${says(reason)})`,
    advice: nameCursor,
  },
  PaginationStalled: {
    action: ({ evidence }) => (evidence.kind === "too-many-pages" ? "resume" : "retry-later"),
    what: ({ evidence }) => `the pagination does not end: ${evidence.text}`,
    advice: ({ evidence }) =>
      evidence.kind === "too-many-pages"
        ? "The records so far are valid, but the list is not complete. Resume from the last checkpoint, and allow more pages."
        : "The records so far are valid, but the list is not complete. Try again later. If it happens again, report it to the service's support: its pagination does not end.",
  },
  CheckpointRefused: {
    action: "start-again",
    what: ({ mismatch: { field } }) =>
      `the checkpoint ${field === "cursor" ? "is no longer accepted" : `belongs to another read: its ${field} differs`}`,
    advice: "Start again without the checkpoint, or use the account, address and list of the checkpoint.",
  },
  TransportFailed: {
    isTransient: ({ phase }) => phase !== "tls" && phase !== "protocol",
    action: ({ phase }) => (phase === "tls" ? "check-certificate" : "check-network"),
    what: (reason) => {
      const { detail, phase } = reason
      const by = byProxy(reason)
      if (phase === "tls") return `the connection${by} is not trusted (${detail})`
      if (phase === "protocol")
        return `the other side${by} does not speak the protocol that is expected (${detail})`
      if (phase === "body") return `the connection was lost during the answer (${detail})`
      return `no connection${by} (${detail})`
    },
    advice: ({ phase }) =>
      phase === "tls"
        ? "Check the base URL, this machine's date and the server's certificate. A certificate that is not trusted is never accepted."
        : phase === "protocol"
          ? "Check scheme and port of the base URL: https goes to a port with TLS 1.2 or later."
          : checkNetwork,
  },
  TimedOut: {
    isTransient: ({ which }) => which !== "deadline",
    action: ({ which }) => (which === "connect" ? "check-network" : "allow-more-time"),
    what: ({ afterMillis, which }) =>
      `no ${which === "connect" ? "connection" : "complete answer"} within ${afterMillis / 1000} s`,
    advice: ({ which }) =>
      which === "connect"
        ? checkNetwork
        : which === "deadline"
          ? "Try again. If it happens again, allow more time, or try when the service is less busy."
          : "Try again. If it happens again, allow more time, ask for fewer records per page, or try when the service is less busy.",
  },
  BodyTooLarge: {
    action: "reduce-page-size",
    what: ({ maxBodyBytes }) => `the answer is larger than ${Math.round(maxBodyBytes / 1_048_576)} MiB`,
    advice: smallerPages,
  },
  ConfigInvalid: {
    action: "fix-setting",
    what: ({ problem, setting }) => `invalid input: ${setting} ${problem}`,
    advice: "Nothing was sent.",
  },
}

const factsOf = (reason: Reason): Facts<Reason> => facts[reason._tag] as Facts<Reason>

export const reasonTags = Object.keys(facts) as ReadonlyArray<ReasonTag>

/** Whether the failure can go away by itself, so that the client retries it. Certificate errors, other statuses, `ok: false`, wrong shapes and wrong encodings cannot. */
export const isTransient = (reason: Reason): boolean => factsOf(reason).isTransient?.(reason) ?? false

export const actionOf = (reason: Reason): Action => {
  const { action } = factsOf(reason)
  return typeof action === "function" ? action(reason) : action
}

/** What happened and where, without a full stop. @internal */
export const headline = ({ attempts, reason, request }: Omit<ClientErrorFields, "reading">): string => {
  const tries = attempts.length > 1 ? ` after ${attempts.length} attempts` : ""
  const happened = factsOf(reason).what(reason)
  return request === null
    ? happened.charAt(0).toUpperCase() + happened.slice(1)
    : `Could not read ${request.subject} from ${request.path}${tries}: ${happened}`
}

/** What the reader can do, in full sentences. @internal */
export const adviceOf = (reason: Reason): string => {
  const { advice } = factsOf(reason)
  return typeof advice === "function" ? advice(reason) : advice
}

/** The error of every operation of this client. */
export class ClientError extends Data.TaggedError("ClientError")<ClientErrorFields> {
  /** What happened, where, and what the reader can do. Safe to show: no key, no body, no personal data. */
  override get message(): string {
    const id = this.requestId === null ? "" : ` (request id ${this.requestId})`
    return `${headline(this)}${id}. ${adviceOf(this.reason)}`
  }

  /** Whether the same call may succeed later without any change. */
  get retryable(): boolean {
    return this.reason._tag === "TimedOut" || isTransient(this.reason)
  }

  /** Whether the specification promises this classification: true for 429, and for settings that were refused before any request. */
  get documented(): boolean {
    return this.reason._tag === "RateLimited" || this.reason._tag === "ConfigInvalid"
  }

  /** Plain JSON. Safe to send to support: no key, no body, no value of a record. */
  override toJSON(): ClientErrorJson {
    return {
      error: this.reason._tag,
      message: this.message,
      retryable: this.retryable,
      documented: this.documented,
      reason: this.reason,
      request: this.request,
      requestId: this.requestId,
      attempts: this.attempts,
      reading: this.reading,
    }
  }
}

export interface ClientErrorJson extends ClientErrorFields {
  readonly error: ReasonTag
  readonly message: string
  readonly retryable: boolean
  readonly documented: boolean
}

export type Handlers<A> = {
  readonly [Tag in ReasonTag]: (reason: Extract<Reason, { readonly _tag: Tag }>) => A
}

/** Handlers for some reasons, and `orElse` for all others, those of later versions included. */
export type SomeHandlers<A> = Partial<Handlers<A>> & { readonly orElse: (reason: Reason) => A }

/**
 * Calls the handler of the error's reason. Without `orElse` the compiler requires a handler for every reason, so that a new reason is not
 * overlooked.
 */
export const match = <A>(error: ClientError, handlers: Handlers<A> | SomeHandlers<A>): A => {
  const handler = handlers[error.reason._tag] ?? (handlers as SomeHandlers<A>).orElse
  return (handler as (reason: Reason) => A)(error.reason)
}

/** How many attempts a failed call took, and how many milliseconds it waited between them. @internal */
export const attemptedOf = ({
  attempts,
}: ClientError): { readonly attempts: number; readonly waitedMillis: number } => ({
  attempts: attempts.length,
  waitedMillis: attempts.reduce((sum, attempt) => sum + (attempt.waitedMillis ?? 0), 0),
})

/** Makes the error of a setting or argument that cannot work. `problem` continues the sentence that begins with `setting`. @internal */
export const configInvalid = (setting: string, problem: string): ClientError =>
  unsent({ _tag: "ConfigInvalid", setting, problem }, null)

/** Makes the error of a call that sent nothing. @internal */
export const unsent = (reason: Reason, reading: ReadSummary | null): ClientError =>
  new ClientError({ reason, request: null, requestId: null, attempts: [], reading })
