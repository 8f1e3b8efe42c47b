/**
 * The catalogue of failures: maps a reason of the client or of an export to its exit code, what happened and what to do, with the flags of this program. Libraries
 * give facts; this file gives the wording of the command line. Pure and exhaustive: a new reason does not compile without an entry.
 *
 * Entries hold no API key, no value of a record and no text from a server. Text from a server is added only to the message of the error.
 */
import { ClientError } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import { capitalized } from "../terminal/Figures.ts"
import type { ExitName, Failure } from "./Failure.ts"

export interface Entry {
  /** What happened, without a full stop. */
  readonly headline: string
  /** What to do, in sentences. */
  readonly advice: string
}

/** The exit code of a reason by its name, and its words. */
interface Told<in Reason> {
  readonly exit: ExitName
  readonly words: (reason: Reason) => Entry
}

const entry = <Reason>(exit: ExitName, words: Told<Reason>["words"]): Told<Reason> => ({ exit, words })

type Entries<Reason extends { readonly _tag: string }> = {
  readonly [Tag in Reason["_tag"]]: Told<Extract<Reason, { readonly _tag: Tag }>>
}

type Issues = ClientError.ReasonOf<"EnvelopeInvalid">["issues"]
const mostIssues = 3

const issueText = (issues: Issues): string => {
  const rest = issues.length - mostIssues
  const shown = issues
    .slice(0, mostIssues)
    .map(({ expected, found, path }) => `${path === "" ? "it" : path} should be ${expected} and is ${found}`)
  return issues.length === 0 ? "" : `: ${shown.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`
}

const support = "contact the service's support with the request id"
const checkBaseUrl = "Check --base-url or the profile"

const clientEntries: Entries<ClientError.Reason> = {
  Unauthenticated: entry("authentication", ({ status }) => ({
    headline: `the service did not accept the API key (${status})`,
    advice:
      "The key is mistyped, revoked or belongs to another account. Create a key in the service's dashboard (Settings, Integrations) and run `deedkit auth login`.",
  })),
  Forbidden: entry("permission", ({ scope, status }) => ({
    headline:
      scope === null
        ? `the API key does not grant access (${status})`
        : `the API key lacks the scope ${scope} (${status})`,
    advice: `Create a key with ${scope ?? "the scope that this endpoint needs"} in the service's dashboard, then run \`deedkit auth login\`. If the key has it, a firewall or a proxy may have refused the request.`,
  })),
  NotFound: entry("notFound", ({ status }) => ({
    headline: `not found (${status})`,
    advice: "Check the id. For a list, check that the base URL ends just before /v1/.",
  })),
  Rejected: entry("notAsSpecified", (reason) => ({
    headline: `the service rejected the request (${reason.status})`,
    advice: ClientError.isTransient(reason)
      ? `Try again later. If it happens again, ${support}.`
      : `Check the arguments. If they are correct, ${support}.`,
  })),
  RateLimited: entry("rateLimited", ({ retryAt, status }) => ({
    headline: `rate limited (${status})${retryAt === null ? "" : `, not before ${retryAt}`}`,
    advice: `Try again ${retryAt === null ? "later" : "after that time"}. Use --rate N to send fewer requests a second.`,
  })),
  ServerFault: entry("network", ({ status }) => ({
    headline: `the service failed (${status})`,
    advice: `Try again later. If it happens again, ${support}.`,
  })),
  Redirected: entry("notAsSpecified", ({ location, sameOrigin, status }) => ({
    headline:
      status === 304
        ? "the service answered 304 (not modified) to a request without a condition"
        : `the service redirects ${location === null ? "without an address" : `to ${location}`} (${status})`,
    advice:
      status === 304
        ? `A cache or a proxy may be the cause. ${checkBaseUrl}.`
        : sameOrigin
          ? "Redirects are not followed. Set --base-url so that requests go there directly."
          : `Redirects are not followed, because the API key belongs to one host. ${checkBaseUrl}.`,
  })),
  NotTheApi: entry("notAsSpecified", ({ contentType, status }) => ({
    headline:
      status === 101
        ? "the connection was switched to another protocol (101)"
        : `the answer is ${contentType ?? "of no stated type"}, not JSON (${status})`,
    advice: `${checkBaseUrl}: a web page, a login page or a proxy answered instead of the API.`,
  })),
  BodyInvalid: entry("notAsSpecified", ({ bodyCharacters, problem, status }) =>
    problem === "partial"
      ? {
          headline: `the answer is not the whole one, by its status (${status})`,
          advice: `Nothing of it was used. Try again later. If it happens again, ${support}.`,
        }
      : problem === "json"
        ? {
            headline: `the answer is not valid JSON (${bodyCharacters} characters); it may be truncated`,
            advice: `Try again later. If it happens again, ${support}.`,
          }
        : problem === "encoding"
          ? {
              headline: "the answer is not valid UTF-8",
              advice:
                "The answer was not used. The service must send UTF-8, or name the charset that it sends.",
            }
          : {
              headline: `the answer is nested too deeply, or holds too many values or digits (${bodyCharacters} characters)`,
              advice: "Ask for smaller pages with --page-size N.",
            },
  ),
  NotOk: entry("notAsSpecified", ({ status }) => ({
    headline: `the service answered that the request failed (${status})`,
    advice: `Check the arguments. If they are correct, ${support}.`,
  })),
  EnvelopeInvalid: entry("notAsSpecified", ({ issues }) => ({
    headline: `the page is not as specified${issueText(issues)}`,
    advice: `The answer was not used. ${checkBaseUrl}; if it is correct, the service has changed.`,
  })),
  RecordInvalid: entry("notAsSpecified", ({ id, issues }) => ({
    headline: `${id === null ? "a record" : `record ${id}`} is not as specified${issueText(issues)}`,
    advice:
      "Contact the service's support about this record. `list` and `export` reject such records and continue.",
  })),
  ShapeMismatch: entry("notAsSpecified", ({ expected }) => ({
    headline:
      expected === "list"
        ? "the service returned one record instead of a list"
        : "the service returned a list instead of one record",
    advice: `The answer was not used. ${checkBaseUrl}; if it is correct, the service has changed.`,
  })),
  IdentityMismatch: entry("notAsSpecified", ({ asked, got }) => ({
    headline: `the service returned record ${got} instead of record ${asked}`,
    advice: `The answer was not used. ${checkBaseUrl}; if it is correct, the service has changed.`,
  })),
  CursorIgnored: entry("pagination", ({ cursorParam, evidence }) => ({
    headline: `the service ignored the cursor ?${cursorParam}=: ${evidence.text}`,
    advice:
      "No record of the second page was used. The service may use another query parameter: ask its support for the name and set it with --cursor-param NAME.",
  })),
  CursorRejected: entry("pagination", ({ cursorParam, status }) => ({
    headline: `the service rejected the cursor ?${cursorParam}= (${status})`,
    advice:
      "The service may use another query parameter: ask its support for the name and set it with --cursor-param NAME.",
  })),
  PaginationStalled: entry("pagination", ({ evidence }) => ({
    headline: `pagination does not end: ${evidence.text}`,
    advice: "The list is not complete. Try again. If it happens again, contact the service's support.",
  })),
  CheckpointRefused: entry("usage", ({ mismatch: { field } }) =>
    field === "cursor"
      ? {
          headline: "the service no longer accepts the place where the read was interrupted",
          advice: "Start again without --resume.",
        }
      : {
          headline: `the checkpoint belongs to another read: its ${field} differs`,
          advice: "Use the same account and list, or start again without --resume.",
        },
  ),
  TransportFailed: entry("network", ({ code, detail, phase, proxy }) => {
    const by = proxy === undefined ? "" : ` through the proxy ${proxy}`
    if (code?.endsWith("_CERTIFICATE_REQUIRED") === true) {
      return {
        headline: `the server${by} asks for a client certificate (${detail})`,
        advice: "Client certificates are not supported. Ask for an address that needs none.",
      }
    }
    if (phase === "protocol") {
      return {
        headline: `the server${by} does not speak the protocol that is expected (${detail})`,
        advice:
          proxy === undefined
            ? "Check scheme and port of the address: https:// needs a port with TLS 1.2 or later, and an http port on this machine needs http://."
            : "Check scheme and port of the proxy, which is http:// for most, and those of the address.",
      }
    }
    if (phase === "tls") {
      return {
        headline: `the certificate${by === "" ? "" : ` that came${by}`} is not trusted (${detail})`,
        advice:
          "Check the address and the date of this machine. Untrusted certificates are never accepted. To trust those of a company, name their file in NODE_EXTRA_CA_CERTS.",
      }
    }
    if (phase === "body") {
      return {
        headline: /^Z_|BROTLI|ZSTD/i.test(code ?? "")
          ? `the answer could not be unpacked (${detail})`
          : `the connection was closed before the answer was complete (${detail})`,
        advice: "Check the address and the network, then try again.",
      }
    }
    return {
      headline: `no connection${by} (${code === null || code === "ERR_PROXY_TUNNEL" ? detail : code})`,
      advice:
        proxy === undefined
          ? "Check the address and the network, then try again."
          : detail === "the proxy answered 407"
            ? "The proxy asks for a user and a password, or does not accept those of the variable: write them there, as http://user:password@host:port."
            : "Check the proxy and the address; NO_PROXY names hosts that need none.",
    }
  }),
  TimedOut: entry("network", ({ afterMillis, which }) => ({
    headline: `no ${which === "connect" ? "connection" : "complete answer"} within ${afterMillis / 1_000} s`,
    advice:
      which === "deadline"
        ? "Try again when the service is less busy."
        : "Try again. To allow more time use --timeout N; to ask for smaller pages use --page-size N.",
  })),
  BodyTooLarge: entry("notAsSpecified", ({ maxBodyBytes }) => ({
    headline: `the answer is larger than ${Math.round(maxBodyBytes / 1_048_576)} MiB`,
    advice: "Ask for smaller pages with --page-size N.",
  })),
  ConfigInvalid: entry("usage", ({ problem, setting }) => ({
    headline: `${setting}: ${problem}`,
    advice: "Nothing was sent.",
  })),
}

const onReadOnly = "Its file system is mounted read-only: choose another path with --out."

const place = (target: string): string => (target === "-" ? "standard output" : target)

const members = (rejected: ReadonlyArray<ExportError.RejectedMember>): string => {
  const rest = rejected.length - mostIssues
  const shown = rejected.slice(0, mostIssues).map(({ expected, found, path, records }) => {
    const what = `${path === "" ? "the record" : path} should be ${expected} and is ${found}`
    return records > 1 ? `${what} (${records} times)` : what
  })
  return rejected.length === 0 ? "" : `: ${shown.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`
}

const exportEntries: Entries<ExportError.Reason> = {
  TargetExists: entry("local", ({ path }) => ({
    headline: `${path} already exists`,
    advice: "Choose another name, or replace it with --overwrite.",
  })),
  TargetFolderMissing: entry("local", ({ folder }) => ({
    headline: `The folder ${folder} does not exist`,
    advice: "Create it, or choose another folder with --out. Nothing was sent.",
  })),
  TargetIsFolder: entry("local", ({ path }) => ({
    headline: `${path} is a folder`,
    advice: "Add a file name to --out. Nothing was sent.",
  })),
  TargetNotWritable: entry("local", ({ code, path }) => ({
    headline: `${path} cannot be written (${code})`,
    advice:
      code === "EROFS"
        ? onReadOnly
        : "Check the permissions of the file and its folder, or choose another path with --out.",
  })),
  NameTooLong: entry("local", ({ path }) => ({
    headline: `The name ${path} is too long`,
    advice:
      "Choose a shorter name with --out: files beside it have names that are about 50 characters longer. Nothing was sent.",
  })),
  TargetBusy: entry("local", ({ path }) => ({
    headline: `${path} is open in another program`,
    advice: "Close it there, for example in a spreadsheet, and try again.",
  })),
  TargetMounted: entry("local", ({ path }) => ({
    headline: `${path} is mounted by itself, so it cannot be replaced`,
    advice: "Mount its folder instead of the file, or choose another path with --out.",
  })),
  NotOwn: entry("local", ({ path, problem }) => ({
    headline: `${path} ${problem}`,
    advice: "It was not used. Remove it, or choose with --out a folder that only you can write to.",
  })),
  DiskFull: entry("local", ({ path }) => ({
    headline: `No space left on the disk for ${place(path)}`,
    advice: "Free some space, or choose another disk with --out.",
  })),
  SinkClosed: entry("local", ({ target }) => ({
    headline: `The reader of ${place(target)} closed it before the end`,
    advice: "The part that it read is not the whole table.",
  })),
  FileMissing: entry("local", ({ path }) => ({
    headline: `${path} does not exist`,
    advice: "Check the path.",
  })),
  FileFailed: entry("local", ({ code, path, step }) => ({
    headline: `Could not ${step === "inspect" ? "open" : step} ${place(path)} (${code ?? "no code"})`,
    advice: code === "EROFS" ? onReadOnly : "Check the disk and the path, then try again.",
  })),
  ColumnUnknown: entry("usage", ({ name, nearest, valid }) => ({
    headline: `Unknown column "${name}"`,
    advice: `${nearest === null ? "" : `Did you mean "${nearest}"? `}Columns: ${valid.join(", ")}.`,
  })),
  ColumnsMissing: entry("usage", ({ valid }) => ({
    headline: "No column is selected",
    advice: `Name at least one with --columns: ${valid.join(", ")}.`,
  })),
  FilterInvalid: entry("usage", ({ expected, text }) => ({
    headline: `Invalid condition "${text}": it takes ${expected}`,
    advice: "Nothing was sent.",
  })),
  TooManyRejected: entry("notAsSpecified", ({ members: found, rejected, seen }) => ({
    headline: `${rejected} of ${seen} records are not as specified${members(found)}`,
    advice: `The export was stopped. ${checkBaseUrl}; if it is correct, the service has changed. To allow more rejected records use --max-rejects N.`,
  })),
  RejectedHaveNoFile: entry("notAsSpecified", ({ id, members: found }) => ({
    headline: `${id === null ? "A record" : `Record ${id}`} is not as specified${members(found)}`,
    advice: "Export to a file with --out FILE: rejected records are saved in a file beside it.",
  })),
  ReadIncomplete: entry("pagination", ({ pages, records }) => ({
    headline: `The list ended after ${records} records in ${pages} pages without the end that the service specifies`,
    advice: "The result is not complete. Try again.",
  })),
  RecordsUnreadable: entry("local", ({ isNewer, path }) =>
    isNewer
      ? {
          headline: `A newer deedkit began the export in ${path}`,
          advice: "Resume it with that version, or move the file to start a new export. It was not changed.",
        }
      : {
          headline: `${path} does not hold an interrupted export`,
          advice: "Move it away, or choose another name with --out. It was not changed.",
        },
  ),
  RunUnderWay: entry("local", ({ path }) => ({
    headline: `Another export is writing the same file (${path})`,
    advice: "Wait for it to end, or choose another name with --out.",
  })),
  ResumeRefused: entry("usage", ({ field, path }) => ({
    headline: `The export in ${path} cannot be resumed: its ${field} differ`,
    advice: "Use the flags of that export, or start a new one without --resume.",
  })),
  TooManyRows: entry("usage", ({ format, maxRows }) => ({
    headline: `The table has more than ${maxRows} rows, the most that ${format} can hold`,
    advice: "Choose another --format, or fewer records with --where.",
  })),
  OneTableOnly: entry("usage", ({ format, target }) => ({
    headline: `${target === "-" ? "Standard output" : target} holds one table as ${format}, not several`,
    advice: "Name a file with --out, so that each table gets its own file, or use `--format xlsx`.",
  })),
  TargetTwice: entry("usage", ({ path }) => ({
    headline: `${path} would be written twice`,
    advice: "Give each --format its own --out.",
  })),
  TimeZoneUnknown: entry("usage", ({ name }) => ({
    headline: `Unknown time zone "${name}"`,
    advice: "Use an IANA name, such as `--time-zone Europe/Athens`, or UTC.",
  })),
  Unreadable: entry("local", ({ expected, path }) => ({
    headline: `${path} is not ${expected} that can be read`,
    advice: "Check the path. If the file was truncated or changed, export again.",
  })),
  NotAsExported: entry("local", ({ path, state }) => ({
    headline: state === "missing" ? `${path} is missing` : `${path} does not match its manifest`,
    advice:
      state === "missing"
        ? "Restore it, or export again."
        : "Do not rely on it: export again, or find out what changed it.",
  })),
}

const told = <Reason extends { readonly _tag: string }>(entries: Entries<Reason>, { _tag }: Reason) =>
  entries[_tag as Reason["_tag"]] as Told<Reason>

/** The entry for a reason of the client. */
export const ofClient = (reason: ClientError.Reason): Entry => told(clientEntries, reason).words(reason)

/** The entry for a reason of an export. */
export const ofExport = (reason: ExportError.Reason): Entry => told(exportEntries, reason).words(reason)

/** The exit code of an error by its name. */
export const exitOf = (error: ClientError.ClientError | ExportError.ExportError): ExitName =>
  error._tag === "ClientError"
    ? told(clientEntries, error.reason).exit
    : told(exportEntries, error.reason).exit

/** The message of an error of the client: what was read, the number of attempts, what happened, and what to do. */
export const clientMessage = ({ attempts, reason, request, requestId }: ClientError.ClientError): string => {
  const { advice, headline } = ofClient(reason)
  const said =
    "serverSays" in reason && reason.serverSays !== null ? `, server says "${reason.serverSays}"` : ""
  const id = requestId === null ? "" : ` (request id ${requestId})`
  const tries = attempts.length > 1 ? ` after ${attempts.length} attempts` : ""
  const what =
    request === null
      ? capitalized(headline)
      : `Could not read ${request.subject} from ${request.path}${tries}: ${headline}`
  return `${what}${said}${id}. ${advice}`
}

/** The message of an error of an export, on one line even if a file name contains line breaks. */
export const exportMessage = ({ reason }: ExportError.ExportError): string => {
  const { advice, headline } = ofExport(reason)
  return `${headline}. ${advice}`.replaceAll("\n", "\u240A").replaceAll("\r", "\u240D")
}

/** The message of an error of the client, of an export or of this program. */
export const messageOf = (error: ClientError.ClientError | ExportError.ExportError | Failure): string =>
  error._tag === "ClientError"
    ? clientMessage(error)
    : error._tag === "ExportError"
      ? exportMessage(error)
      : error.message

const retried: { readonly [Tag in ClientError.ReasonTag]?: string } = {
  TransportFailed: "the connection failed",
  TimedOut: "no answer in time",
  ServerFault: "the service failed",
  BodyInvalid: "the answer was truncated or invalid",
}

/** What went wrong with an attempt that is being retried, by the tag of its reason. */
export const ofRetry = (tag: ClientError.ReasonTag | null): string =>
  (tag === null ? undefined : retried[tag]) ?? "the service asked to try again"
