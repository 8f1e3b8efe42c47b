/**
 * Calls of a real service, recorded once and replayed in tests. A recording is plain JSON without the key, the address of the service and
 * personal data (see `Pseudonyms`), so it can be committed.
 */
import { requestIdHeaders } from "../answer/answer.ts"
import type { Redact } from "../error/redaction.ts"
import * as redaction from "../error/redaction.ts"
import type { Send, TransportResponse } from "../transport/Transport.ts"
import { TransportFault } from "../transport/Transport.ts"
import * as Pseudonyms from "./Pseudonyms.ts"

/** One request and how it was answered. */
export interface RecordedCall {
  /** The path from `/v1/` on, and the query. */
  readonly target: string
  /** 0 if no answer came. */
  readonly status: number
  /** The headers that matter to a client: type, date, rate limit, request id, and where a redirect leads. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, with pseudonyms. */
  readonly body: string
  /** False when the body was not text in its charset. */
  readonly wellEncoded?: boolean
  /** How the transport failed, if it did. */
  readonly fault?: { readonly phase: TransportFault["phase"]; readonly code: string | null }
}

/** Recorded calls in the order in which they ended. Plain JSON. */
export interface CallRecording {
  readonly version: 1
  readonly calls: ReadonlyArray<RecordedCall>
}

/**
 * Wraps a transport, which still sends every request. `recording` returns the calls recorded so far. It does not hold when or how fast answers
 * came.
 */
export const recordCalls = (send: Send): { readonly send: Send; readonly recording: () => CallRecording } => {
  const pseudonyms = Pseudonyms.make()
  const calls: Array<RecordedCall> = []

  const headersOf = (
    header: TransportResponse["header"],
    url: URL,
    redact: Redact,
  ): Record<string, string> => {
    const headers: Record<string, string> = {}
    const keep = (name: string, change: (value: string) => string): void => {
      const value = header(name)
      if (value !== null) headers[name] = change(value)
    }
    for (const name of ["content-type", "date", "retry-after"]) keep(name, redact)
    for (const name of requestIdHeaders) keep(name, pseudonyms.text)
    keep("location", (value) =>
      URL.canParse(value, url) && new URL(value, url).origin === url.origin
        ? "/elsewhere"
        : "https://elsewhere.example.test/",
    )
    return headers
  }

  const recorded: Send = async (request, cancellation) => {
    const url = new URL(request.url)
    const key = (request.headers["authorization"] ?? "").replace(/^Bearer /, "")
    const redact: Redact = key === "" ? (text) => text : redaction.make(key)
    const target = targetOf(url, pseudonyms.query(url.searchParams))
    try {
      const response = await send(request, cancellation)
      const { header, status, text, wellEncoded } = response
      const headers = headersOf(header, url, redact)
      const call = { target, status, headers, body: pseudonyms.body(redact(text)) }
      calls.push(wellEncoded === undefined ? call : { ...call, wellEncoded })
      return response
    } catch (cause) {
      const fault =
        cause instanceof TransportFault
          ? { phase: cause.phase, code: cause.code }
          : { phase: "connect" as const, code: null }
      calls.push({ target, status: 0, headers: {}, body: "", fault })
      throw cause
    }
  }
  return { send: recorded, recording: () => ({ version: 1, calls: [...calls] }) }
}

/** The path from `/v1/` on, which is the same for every base URL, and the query. */
const targetOf = ({ pathname }: URL, query: URLSearchParams): string => {
  const path = pathname.slice(Math.max(0, pathname.indexOf("/v1/")))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/**
 * A transport that answers as it was recorded. Requests for one target get its answers in their order, and then the last one again. `left` lists
 * what was not requested yet. A target that was not recorded is answered with 418 and a message that names it.
 */
export const replayCalls = (
  recording: CallRecording,
): { readonly send: Send; readonly left: () => ReadonlyArray<string> } => {
  const answers = new Map<string, Array<RecordedCall>>()
  for (const call of recording.calls) {
    const same = answers.get(call.target) ?? []
    answers.set(call.target, [...same, call])
  }
  const asked = new Map<string, number>()
  const send: Send = async (request) => {
    const url = new URL(request.url)
    const target = targetOf(url, url.searchParams)
    const calls = answers.get(target)
    if (calls === undefined) {
      const message = `the recording has no answer to ${target}`
      return { status: 418, header: () => null, text: JSON.stringify({ message }) }
    }
    const count = asked.get(target) ?? 0
    asked.set(target, count + 1)
    const { body, fault, headers, status, wellEncoded } = calls[Math.min(count, calls.length - 1)]!
    if (fault !== undefined) throw new TransportFault(fault.phase, "as it was recorded", { code: fault.code })
    return { status, header: (name) => headers[name] ?? null, text: body, wellEncoded }
  }
  const left = (): ReadonlyArray<string> =>
    [...answers].flatMap(([target, calls]) => calls.slice(asked.get(target) ?? 0).map(() => target))
  return { send, left }
}
