/**
 * Every question that the specification leaves open, by name, with the answer that the emulator gives by default. Each
 * entry cites its gap (`Spec: ...`): the specification's heading and the number of the rule that leaves it open.
 * Nothing else in this package decides on unspecified behaviour. A client's tests are repeated with several of these.
 */
import { choice, fill, flag, integer, InvalidSetting, number, read, text, textOrNull } from "./Setting.ts"
import type { Values } from "./Setting.ts"

/** The table: one setting for each gap. */
export const table = {
  cursorParameter: text("before_id", "Query parameter that a list reads its cursor from. Spec: Endpoints 5"),
  cursorKind: choice(
    ["integer", "digits", "string", "bigint", "object", "position"],
    "integer",
    "Type of next_before_id: a record's id, its digits as text, an opaque text that needs percent-encoding, a number beyond 2^53, an object, or how many records came before. Spec: Endpoints 5",
  ),
  cursorBoundary: choice(
    ["exclusive", "inclusive", "next"],
    "exclusive",
    "The cursor names the last record served and is left out of the next page, or repeated in it, or it names the next page's first record. Spec: Endpoints 5",
  ),
  ordering: choice(
    ["descending", "ascending", "random", "updated"],
    "descending",
    "Order of items: by id either way, a seeded shuffle, or the latest update first. Spec: Endpoints 6",
  ),
  ascendingPages: choice(
    ["sequence", "newest-first"],
    "sequence",
    "With ascending items: pages continue upwards, or the newest page comes first and each page is ascending in itself. Spec: Endpoints 6",
  ),
  endSentinel: choice(
    [null, 0, -1, "", "missing"],
    null,
    "Value of next_before_id on the last page; null is specified, the others are services that differ. Spec: Endpoints 2",
  ),
  trailingEmptyPage: flag(
    false,
    "A full last page still has a cursor, and an empty page follows it. Spec: Endpoints 2",
  ),
  defaultLimit: integer(50, "Records a page when no limit is asked for. Spec: Limits 2", 1),
  maximumLimit: integer(100, "Highest limit that is served. Spec: Limits 2", 1),
  aboveMaximum: choice(
    ["clamp", "reject", "allow"],
    "clamp",
    "What happens to a limit above the maximum. Spec: Limits 2",
  ),
  /** Spec: Endpoints, the parameter is optional. */
  limitSupported: flag(
    true,
    "Whether limit is read at all; otherwise it is an unknown parameter. Spec: Endpoints",
  ),
  unknownParameter: choice(
    ["ignore", "reject"],
    "ignore",
    "What happens to a query parameter that the endpoint does not know, such as a cursor under another name. Spec: Endpoints 5",
  ),
  malformedCursor: choice(
    ["reject", "ignore"],
    "reject",
    "What happens to a cursor that cannot be read; ignoring serves the first page. Spec: Endpoints 5",
  ),
  trailingSlash: choice(
    ["required", "optional", "redirect"],
    "required",
    "What happens to a path without its last slash. Spec: Endpoints",
  ),
  errorShape: choice(
    ["flat", "nested", "list", "problem", "text", "html", "empty"],
    "flat",
    "Shape of an error's body. Spec: Errors 2",
  ),
  missingKeyStatus: integer(401, "Status of a request without a key. Spec: Errors 3", 400, 599),
  wrongKeyStatus: integer(
    401,
    "Status of a request with a key that does not exist. Spec: Errors 3",
    400,
    599,
  ),
  revokedKeyStatus: integer(401, "Status of a request with a revoked key. Spec: Errors 3", 400, 599),
  missingScopeStatus: integer(403, "Status of a request whose key lacks the scope. Spec: Errors 3", 400, 599),
  unknownIdStatus: integer(
    404,
    "Status of a retrieve with an id that no record has. Spec: Errors 3",
    400,
    599,
  ),
  malformedStatus: integer(400, "Status of a parameter that cannot be read. Spec: Errors 3", 400, 599),
  wrongMethodStatus: integer(405, "Status of any method but GET. Spec: Errors 3", 400, 599),
  /** Spec: Events, request ids are mentioned in passing. */
  requestIdHeader: textOrNull(
    "x-request-id",
    "Header that names each request, or null for none. Spec: Events",
  ),
  rateLimitHeaders: choice(
    ["none", "ratelimit", "x-ratelimit"],
    "none",
    "Family of headers that tell what is left of the rate. Spec: Limits 1",
  ),
  rateLimit: number(
    120,
    "Requests a minute that those headers speak of; nothing is limited by it. Spec: Limits 1",
    1,
  ),
  meShape: choice(
    ["account", "user", "key", "flat", "bare"],
    "account",
    "What /v1/me/ answers besides ok. Spec: Endpoints 7",
  ),
  meScope: textOrNull("read:me", "Scope that /v1/me/ requires, or null for any key. Spec: Endpoints 7"),
  /** Spec: Contract, gap 2. */
  payloadMember: text(
    "data",
    "Member that include_data=1 adds to a retrieved contract. Spec: Contract, gaps",
  ),
  /** Spec: Contract, listing_id may be null and listing is typed as an object. */
  listingWhenNone: choice(
    ["null", "absent", "object"],
    "null",
    "What listing is when listing_id is null: null, left out, or an object with empty texts. Spec: Contract",
  ),
  /** Spec: Resources, members beyond the tables are not ruled out. */
  unknownMember: flag(
    false,
    "Each contract carries one member that no table names. Spec: Resources and their fields",
  ),
  /** Spec: Resources, ISO 8601 in UTC leaves the fraction open. */
  timestampDigits: choice(
    [0, 3, 6],
    0,
    "Digits of a second's fraction in timestamps. Spec: Resources and their fields",
  ),
  /** Spec: API key, last_used_at. */
  touchesLastUsed: flag(
    false,
    "Each request writes its key's last_used_at; off, so that two reads give the same bytes. Spec: API key",
  ),
} as const

/** One value for each gap; `table` describes each. */
export type Assumptions = Values<typeof table>

/** The defaults. */
export const defaults: Assumptions = fill(table, {}, "assumption")

/** Fills in the defaults. Throws `InvalidSetting` for an unknown name or value. */
export const make = (given: Readonly<Partial<Assumptions>> = {}): Assumptions =>
  fill(table, given, "assumption")

/** Reads flags of the form `name=value`. Throws `InvalidSetting` with a suggestion. */
export const fromText = (texts: ReadonlyArray<string>): Partial<Assumptions> =>
  read(table, Object.fromEntries(texts.map(nameAndValue)), "assumption")

const nameAndValue = (text: string): readonly [string, string] => {
  const cut = text.indexOf("=")
  if (cut < 0) throw new InvalidSetting(`an assumption is written name=value, not "${text}"`)
  return [text.slice(0, cut), text.slice(cut + 1)]
}
