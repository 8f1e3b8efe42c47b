/**
 * Posts a signed body to a webhook, and retries temporary failures by the retry policy of @deedkit/core, which respects `Retry-After`. Each attempt
 * is signed anew, so that a late one is not refused as old. Redirects are not followed, and response bodies are not read.
 */
import type { ClientEvent } from "@deedkit/core"
import { RetryPolicy } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { version } from "../../../command/Version.ts"
import type { Failure } from "../../../failure/Failure.ts"
import * as WebhookCatalogue from "../../../failure/WebhookCatalogue.ts"
import * as Signature from "./Signature.ts"
import type { Webhook } from "./Webhook.ts"

export interface DeliveryOptions {
  readonly webhook: Webhook
  /** The same for the same changes, so that a receiver can drop duplicates. */
  readonly id: string
  readonly body: string
  readonly policy: RetryPolicy.RetryPolicy
  /** Time limit from the start of an attempt to the head of its response. */
  readonly attemptMillis: number
  /** Receives events for the log. Events name only the origin of the webhook and hold neither secret nor body. */
  readonly listen: ClientEvent.Listener
}

/** How an attempt ended: its status, or the reason why there is none. */
interface Ended {
  readonly status: number | null
  readonly retryAfter: string | null
  /** Null if the webhook has accepted the body. */
  readonly reason: WebhookCatalogue.Reason | null
}

const reasonOf = (status: number, retryAfter: string | null): WebhookCatalogue.Reason | null => {
  if (status >= 200 && status < 300) return null
  if (status === 429) {
    const source = retryAfter === null ? "backoff" : "retry-after"
    return { _tag: "RateLimited", status, serverSays: null, retryAt: null, source }
  }
  if (status >= 500) return { _tag: "ServerFault", status, serverSays: null }
  return status < 400
    ? { _tag: "Redirected", status, location: null, sameOrigin: false }
    : { _tag: "Rejected", status, serverSays: null }
}

const tlsCode = /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/

const faultOf = (cause: unknown, afterMillis: number): WebhookCatalogue.Reason => {
  if (cause instanceof DOMException && cause.name === "TimeoutError")
    return { _tag: "TimedOut", which: "attempt", afterMillis }
  // The error of `fetch` describes the failure in its cause.
  const { code = null, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  const isTls = code !== null && tlsCode.test(code)
  return { _tag: "TransportFailed", phase: isTls ? "tls" : "connect", code, detail: message }
}

const attemptOf = (
  { attemptMillis, body, id, webhook }: DeliveryOptions,
  now: number,
): Effect.Effect<Ended> =>
  Effect.promise(async (signal) => {
    try {
      const response = await fetch(webhook.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": `deedkit/${version}`,
          "deedkit-id": id,
          "deedkit-signature": Signature.header(webhook.secret, now, body),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMillis)]),
      })
      // The status is enough; the body is discarded.
      response.body?.cancel().catch(() => {})
      const retryAfter = response.headers.get("retry-after")
      return { status: response.status, retryAfter, reason: reasonOf(response.status, retryAfter) }
    } catch (cause) {
      return { status: null, retryAfter: null, reason: faultOf(cause, attemptMillis) }
    }
  })

const iso = (millis: number): string => new Date(millis).toISOString()

/** Sends until the webhook accepts the body or the policy gives up. Returns the number of attempts. Fails with `NotifyFailed`. */
export const deliver = (options: DeliveryOptions): Effect.Effect<number, Failure> =>
  Effect.gen(function* () {
    const { listen, policy, webhook } = options
    const { origin } = webhook.url
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = yield* Clock.currentTimeMillis
      const { reason, retryAfter, status } = yield* attemptOf(options, startedAt)
      const now = yield* Clock.currentTimeMillis
      listen({
        _tag: "Attempted",
        at: iso(startedAt),
        localId: attempt,
        method: "POST",
        target: origin,
        attempt,
        status,
        requestId: null,
        durationMillis: now - startedAt,
        outcome: reason?._tag ?? "ok",
      })
      if (reason === null) return attempt
      const random = yield* Random.next
      const decision = RetryPolicy.decide(policy, { reason, attempt, retryAfter, now, random })
      if (decision._tag === "GiveUp") return yield* WebhookCatalogue.failureOf(reason, origin, attempt)
      const { delayMillis, source, why } = decision
      listen({
        _tag: "Waiting",
        at: iso(now),
        until: iso(now + delayMillis),
        waitMillis: delayMillis,
        why,
        reason: reason._tag,
        source,
        target: origin,
      })
      yield* Effect.sleep(delayMillis)
    }
  })
