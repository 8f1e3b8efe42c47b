/**
 * The requests and the statuses of their answers, in order, for tests to read.
 * Serves Events (request ids). Never holds a secret: authorization is kept as present or absent, and the presented key
 * and every key of the store are removed from all other headers, the path and the query.
 */

/** One request. `status` is 0 while no head has been sent, and stays 0 when the connection was dropped. */
export interface JournalEntry {
  /** Count of requests, from 1. */
  readonly n: number
  /** ISO time of arrival by the emulator's clock. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Query parameters; repeated ones joined by commas. */
  readonly query: Readonly<Record<string, string>>
  readonly status: number
  /** Names of the faults that acted, joined by `+`, or null. */
  readonly fault: string | null
  /** Whether key and scope were accepted; false also when a fault answered before they were checked. */
  readonly authorized: boolean
  /** Request headers; `authorization` is `present` or `absent`. */
  readonly headers: Readonly<Record<string, string>>
  /** Bytes of the body that are sent. */
  readonly bodyBytes: number
  readonly requestId: string
}

/** The requests so far. */
export interface Journal {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly clear: () => void
  /** Calls the listener with each entry once its answer is decided; the returned function removes the listener. */
  readonly watch: (listener: (entry: JournalEntry) => void) => () => void
}

/** A journal, and how the emulator writes to it. */
export interface JournalWriter {
  readonly journal: Journal
  readonly open: (request: Request, given: Pick<JournalEntry, "n" | "at" | "requestId">) => OpenEntry
}

/** An entry whose answer is not known yet. */
interface OpenEntry {
  readonly settle: (outcome: Pick<JournalEntry, "status" | "fault" | "authorized" | "bodyBytes">) => void
}

/** An empty journal; `isSecret` recognizes the keys that must not be in it, in addition to those that requests present. */
export const make = (isSecret: (text: string) => boolean): JournalWriter => {
  let entries: Array<JournalEntry> = []
  const listeners = new Set<(entry: JournalEntry) => void>()
  return {
    journal: {
      get entries() {
        return entries
      },
      clear: () => {
        entries = []
      },
      watch: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    open: (request, given) => {
      const entry: { -readonly [Member in keyof JournalEntry]: JournalEntry[Member] } = {
        ...given,
        ...describe(request, isSecret),
        status: 0,
        fault: null,
        authorized: false,
        bodyBytes: 0,
      }
      entries.push(entry)
      return {
        settle: (outcome) => {
          Object.assign(entry, outcome)
          for (const listener of listeners) listener(entry)
        },
      }
    },
  }
}

const describe = (
  request: Request,
  isSecret: (text: string) => boolean,
): Pick<JournalEntry, "method" | "path" | "query" | "headers"> => {
  const url = new URL(request.url)
  const authorization = request.headers.get("authorization")
  const presented = authorization?.replace(/^\S+\s+/, "") ?? ""
  const clean = (text: string) => {
    const known = text.replaceAll(/[\w-]{4,}/g, (word) => (isSecret(word) ? "[key]" : word))
    return presented.length < 4
      ? known
      : known.replaceAll(presented, "[key]").replaceAll(encodeURIComponent(presented), "[key]")
  }
  const query: Record<string, string> = {}
  for (const name of new Set(url.searchParams.keys())) {
    query[clean(name)] = clean(url.searchParams.getAll(name).join(","))
  }
  const headers: Record<string, string> = { authorization: authorization === null ? "absent" : "present" }
  for (const [name, value] of request.headers) {
    if (name !== "authorization") headers[name] = sensitive.has(name) ? "present" : clean(value)
  }
  return { method: request.method, path: clean(url.pathname), query, headers }
}

const sensitive = new Set(["proxy-authorization", "cookie", "x-api-key"])
