/**
 * Functions of the program that see requests and responses, without the key: a transport around another one. Hooks only observe. An error that a
 * hook throws fails no call, as with listeners.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { problemOfOptions } from "../call/optionCheck.ts"
import type { ClientError } from "../error/ClientError.ts"
import * as redaction from "../error/redaction.ts"
import * as Listeners from "../events/Listeners.ts"
import { consoleWarning } from "../events/consoleWarning.ts"
import { listenerWarning } from "../events/listenerWarning.ts"
import type { Send, TransportRequest, TransportResponse } from "../transport/Transport.ts"
import { Transport, TransportFault, viaFetch } from "../transport/Transport.ts"

/** A request as it is sent. The key, and every run of 8 or more characters of it, is removed from address and headers. */
export interface SeenRequest {
  readonly method: "GET"
  readonly url: string
  /** By lower-case name. Without `Authorization` and the headers that the platform adds. */
  readonly headers: Readonly<Record<string, string>>
}

/** The head of an answer. Its body is not shown. */
export interface SeenResponse {
  readonly request: SeenRequest
  readonly status: number
  /** A header's value by lower-case name, without the key; null when the header is absent. */
  readonly header: (name: string) => string | null
}

/** The functions that are called for each attempt, retries and probes included. The return value of a hook is not awaited. */
export interface Hooks {
  /** Before a request is sent. */
  readonly onRequest?: ((request: SeenRequest) => void) | undefined
  /** When an answer has arrived, or was cut off after its head. Not called when no head arrived. */
  readonly onResponse?: ((response: SeenResponse) => void) | undefined
}

/**
 * A transport that calls the hooks and sends with `send`; default: `fetch`. Throws `ConfigInvalid` for a hook of another name. An error that a
 * hook throws is written to standard error or the browser's console; with `layer`, by the loggers of the program.
 */
export const withHooks = (hooks: Hooks, send: Send = viaFetch()): Send => around(hooks, send, consoleWarning)

/** Puts the hooks around the transport of the environment. Fails with `ConfigInvalid` for a hook of another name. */
export const layer = (hooks: Hooks): Layer.Layer<never, ClientError> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const send = yield* Transport
      const context = yield* Effect.context()
      return yield* Effect.try({
        try: () => around(hooks, send, listenerWarning(context)),
        catch: (error) => error as ClientError,
      })
    }),
  )

const around = (hooks: Hooks, send: Send, warn: (error: unknown, what: string) => void): Send => {
  const problem = problemOfOptions("hooks", hooks)
  if (problem !== null) throw problem
  const requests = Listeners.make<SeenRequest>((error) => warn(error, "onRequest"))
  const responses = Listeners.make<SeenResponse>((error) => warn(error, "onResponse"))
  if (hooks.onRequest !== undefined) requests.add(hooks.onRequest)
  if (hooks.onResponse !== undefined) responses.add(hooks.onResponse)
  return async (outgoing, cancellation) => {
    const redact = redactionOf(outgoing)
    const request = seen(outgoing, redact)
    const answered = ({ header, status }: Pick<TransportResponse, "status" | "header">): void => {
      const shown = (name: string): string | null => {
        const value = header(name)
        return value === null ? null : redact(value)
      }
      responses.tell(Object.freeze({ request, status, header: shown }))
    }
    requests.tell(request)
    try {
      const response = await send(outgoing, cancellation)
      answered(response)
      return response
    } catch (cause) {
      if (cause instanceof TransportFault && cause.head !== null) answered(cause.head)
      throw cause
    }
  }
}

/** Header values hold no line break, so the key is everything after `Bearer `. */
const redactionOf = ({ headers }: TransportRequest): redaction.Redact => {
  const authorization = Object.entries(headers).find(([name]) => isKey(name))?.[1] ?? ""
  return redaction.make(authorization.replace(/^Bearer /, ""))
}

const isKey = (name: string): boolean => name.toLowerCase() === "authorization"

const seen = ({ headers, url }: TransportRequest, redact: redaction.Redact): SeenRequest => {
  const shown = Object.entries(headers).filter(([name]) => !isKey(name))
  return Object.freeze({
    method: "GET",
    url: redact(url),
    headers: Object.freeze(
      Object.fromEntries(shown.map(([name, value]) => [name.toLowerCase(), redact(value)])),
    ),
  })
}
