/** A transport with scripted answers: a server without a network, for tests of tools. */
import { stringify } from "../Json.ts"
import type { Send } from "../Transport.ts"
import { TransportFault } from "../Transport.ts"

/** One scripted answer. `body` is sent as JSON unless it is a text. */
export interface ScriptedAnswer {
  /** Default 200. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  /** The connection fails instead, in this phase. */
  readonly fault?: "connect" | "tls" | "request" | "body" | undefined
}

/** A request that was sent: path and query, and its `Accept` header. The key is not recorded. */
export interface ScriptedRequest {
  readonly target: string
  readonly accept: string | null
}

/**
 * A transport with scripted answers: in order, or computed from the request and its number, which counts from 1. A request after the end of
 * the script is answered with 404. `requests` lists what was sent.
 */
export const scripted = (
  script: ReadonlyArray<ScriptedAnswer> | ((request: ScriptedRequest, count: number) => ScriptedAnswer),
): { readonly send: Send; readonly requests: ReadonlyArray<ScriptedRequest> } => {
  const requests: Array<ScriptedRequest> = []
  const send: Send = async (outgoing) => {
    const url = new URL(outgoing.url)
    const request = { target: url.pathname + url.search, accept: outgoing.headers["accept"] ?? null }
    requests.push(request)
    const answer =
      typeof script === "function"
        ? script(request, requests.length)
        : (script[requests.length - 1] ?? { status: 404 })
    if (answer.fault !== undefined) throw new TransportFault(answer.fault, "scripted fault")
    const headers = new Headers({ "content-type": "application/json", ...answer.headers })
    const text = typeof answer.body === "string" ? answer.body : stringify(answer.body ?? {})
    return { status: answer.status ?? 200, header: (name) => headers.get(name), text }
  }
  return { send, requests }
}
