/** An answer with the details of its call: request id, status, headers, attempts. */
import * as Effect from "effect/Effect"
import type { Check } from "../../answer/Check.ts"
import type { Caller } from "../../call/Caller.ts"
import type { ClientError } from "../../error/ClientError.ts"
import type { ServiceRequest } from "../../model/ServiceRequest.ts"
import type { TransportResponse } from "../../transport/Transport.ts"

/** A checked answer. */
export interface Response<A> {
  readonly value: A
  /** The service's id of the answer, if it sent one. */
  readonly requestId: string | null
  /** 2xx: every other status is an error. */
  readonly status: number
  /** The headers of the answer, by name in any case; null for an absent one. The key is redacted where the service echoes it. */
  readonly headers: { readonly get: (name: string) => string | null }
  /** Attempts that the call took, 1 for the first. */
  readonly attempts: number
  /** Milliseconds that the call waited between attempts and for the rate limiter. */
  readonly waitedMillis: number
}

/** Sends its own request and returns the checked answer with its details. */
export const send = <A>(
  caller: Caller,
  request: ServiceRequest,
  check: Check<A>,
): Effect.Effect<Response<A>, ClientError> =>
  Effect.map(
    caller.call<readonly [value: A, answered: Parameters<Check<A>>[4]]>(
      request,
      (...read) => {
        const checked = check(...read)
        return checked._tag === "Value" ? { _tag: "Value", value: [checked.value, read[4]] } : checked
      },
      "interactive",
    ),
    ({ attempts, requestId, value: [value, answered], waitedMillis }) => ({
      value,
      requestId,
      status: answered.status,
      headers: headersOf(answered, caller),
      attempts,
      waitedMillis,
    }),
  )

const headersOf = ({ header }: Pick<TransportResponse, "header">, { redact }: Caller) => ({
  get: (name: string): string | null => {
    const value: unknown = /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? header(name.toLowerCase()) : null
    return typeof value === "string" ? redact(value) : null
  },
})
