/**
 * One attempt: head, body, parse and check within one time limit (Spec: Limits 3). The only place that reads the key.
 *
 * An attempt is one callback and one timer, not a race of fibres: that keeps the cost of a request near that of the bare transport.
 * It never fails; a failure is part of its outcome.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ClientConfig } from "../ClientConfig.ts"
import type { Reason, TransportFailed } from "../ClientError.ts"
import type { ServiceRequest } from "./serviceRequest.ts"
import { target } from "./serviceRequest.ts"
import type { Cancellation, Send, TransportResponse } from "../Transport.ts"
import { codeOf, detailOf, TransportFault } from "../Transport.ts"
import * as answer from "./answer.ts"
import type { Check, Checked } from "./answer.ts"
import type { Redact } from "./redaction.ts"
import * as redaction from "./redaction.ts"
import { schedule } from "./timer.ts"

/** How an attempt ended. */
export interface Settled<A> {
  readonly checked: Checked<A>
  readonly status: number | null
  readonly requestId: string | null
  readonly retryAfter: string | null
  readonly phase: string | null
  /** The `Date` header of the answer. */
  readonly serviceDate: string | null
}

/** Sends attempts with one key. */
export interface Attempts {
  readonly once: <A>(
    request: ServiceRequest,
    check: Check<A>,
    clock: Clock.Clock,
    limitMillis: number,
  ) => Effect.Effect<Settled<A>>
  /** Removes the key and its parts from a text of the server. */
  readonly redact: Redact
}

/** A body that is nested deeper than the stack allows counts as unreadable. */
const checkedDeeply = <A>(
  { body, exact, wellEncoded }: Extract<answer.Reading, { readonly _tag: "Body" }>,
  response: TransportResponse,
  check: Check<A>,
): Checked<A> => {
  try {
    return check(body, exact, response.text, wellEncoded, response)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return { _tag: "Failed", reason: answer.bodyInvalid(response, "json") }
  }
}

const certificateCode = /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/
const protocolCode = /^ERR_SSL|^EPROTO$|^HPE_/

/** Makes the attempts for this configuration and transport. */
export const make = (config: ClientConfig, send: Send): Attempts => {
  const key = Redacted.value(config.apiKey)
  const redact = redaction.make(key)
  const withoutKey = redaction.makeForAnswers(key)
  const headers = { authorization: `Bearer ${key}`, accept: "application/json" }

  const reasonOf = (cause: unknown, fault: TransportFault | null): Reason => {
    if (fault?.phase === "too-large") return { _tag: "BodyTooLarge", maxBodyBytes: config.maxBodyBytes }
    if (fault?.phase === "idle") return { _tag: "TimedOut", which: "idle", afterMillis: config.idleMillis }
    if (fault?.phase === "connect-timeout") {
      return { _tag: "TimedOut", which: "connect", afterMillis: config.connectMillis }
    }
    const code = fault?.code ?? codeOf(cause)
    const phase: TransportFailed["phase"] =
      code !== null && certificateCode.test(code)
        ? "tls"
        : code !== null && protocolCode.test(code)
          ? "protocol"
          : (fault?.phase ?? "connect")
    const detail = answer.serverSays(fault?.message ?? detailOf(cause), redact) ?? "the connection failed"
    const proxy = fault?.proxy ?? null
    return { _tag: "TransportFailed", phase, code, detail, ...(proxy === null ? {} : { proxy }) }
  }

  const broken = <A>(cause: unknown): Settled<A> => {
    const fault = cause instanceof TransportFault ? cause : null
    const head = fault?.head ?? null
    return {
      checked: { _tag: "Failed", reason: reasonOf(cause, fault) },
      status: head?.status ?? null,
      requestId: head === null ? null : answer.requestIdOf(head.header, redact),
      retryAfter: null,
      phase: fault?.phase ?? "connect",
      serviceDate: null,
    }
  }

  const timedOut = <A>(limitMillis: number): Settled<A> => {
    const which = limitMillis < config.attemptMillis ? "deadline" : "attempt"
    const afterMillis = which === "deadline" ? config.deadlineMillis : config.attemptMillis
    const reason: Reason = { _tag: "TimedOut", which, afterMillis }
    return {
      checked: { _tag: "Failed", reason },
      status: null,
      requestId: null,
      retryAfter: null,
      phase: which,
      serviceDate: null,
    }
  }

  const answered = <A>(given: TransportResponse, request: ServiceRequest, check: Check<A>): Settled<A> => {
    const { status, wellEncoded } = given
    const header = (name: string): string | null => given.header(name)
    const response = { status, wellEncoded, header, text: withoutKey(given.text) }
    const reading = answer.read(response, request, config.origin, redact)
    return {
      checked: reading._tag === "Body" ? checkedDeeply(reading, response, check) : reading,
      status,
      requestId: answer.requestIdOf(header, redact),
      retryAfter: reading._tag === "Body" ? null : header("retry-after"),
      phase: null,
      serviceDate: header("date"),
    }
  }

  /** A transport can also throw where it should reject. */
  const sendSafely: Send = async (outgoing, cancellation) => send(outgoing, cancellation)

  const once = <A>(request: ServiceRequest, check: Check<A>, clock: Clock.Clock, limitMillis: number) =>
    Effect.callback<Settled<A>>((resume) => {
      const cancellation = new LazyCancellation()
      let settled = false
      const finish = (outcome: () => Settled<A>): void => {
        if (settled) return
        settled = true
        cancelTimer()
        try {
          resume(Effect.succeed(outcome()))
        } catch (defect) {
          resume(Effect.die(defect))
        }
      }
      const cancelTimer = schedule(clock, limitMillis, () => {
        finish(() => timedOut(limitMillis))
        cancellation.cancel()
      })
      const outgoing = {
        url: config.base + target(request),
        headers,
        connectMillis: config.connectMillis,
        idleMillis: config.idleMillis,
        maxBodyBytes: config.maxBodyBytes,
      }
      // Sent in a microtask, so that a transport can cancel the whole operation synchronously.
      queueMicrotask(() => {
        if (settled) return
        sendSafely(outgoing, cancellation).then(
          (response) => finish(() => answered(response, request, check)),
          (cause: unknown) => finish(() => broken(cause)),
        )
      })
      return Effect.sync(() => {
        settled = true
        cancelTimer()
        cancellation.cancel()
      })
    })
  return { once, redact }
}

/** The cancellation of one attempt. It makes an `AbortSignal` only for a transport that asks for one. */
class LazyCancellation implements Cancellation {
  #cancelled = false
  #controller: AbortController | null = null
  #listener: (() => void) | null = null

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cancelled) this.#controller.abort()
    return this.#controller.signal
  }

  readonly onCancel = (listener: () => void): void => {
    this.#listener = listener
    if (this.#cancelled) listener()
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    try {
      this.#listener?.()
    } catch {
      // The attempt has ended. The error of a transport that fails to stop must not end the process from a timer.
    }
    this.#controller?.abort()
  }
}
