/**
 * The catalogue of a webhook's failures: what happened, what to do, and the exit code. Loaded only with `--notify`. Pure and exhaustive: a new reason
 * does not compile without an entry. A message holds only the origin of the address, and nothing that the webhook returned.
 */
import type { ClientError } from "@deedkit/core"
import { count } from "../terminal/Figures.ts"
import type { ExitCode } from "./ExitCode.ts"
import { codes } from "./ExitCode.ts"
import { Failure } from "./Failure.ts"

/** Why a webhook did not accept a request, as reasons of the client. */
export type Reason =
  | ClientError.RateLimited
  | ClientError.Redirected
  | ClientError.Rejected
  | ClientError.ServerFault
  | ClientError.TimedOut
  | ClientError.TransportFailed

interface Entry {
  /** What happened, without a full stop. */
  readonly headline: string
  /** What to do, in sentences. */
  readonly advice: string
  readonly exitCode: ExitCode
}

const again = "The digest has an id, so it can be sent again: run the same command later."

const entryOf = (reason: Reason): Entry => {
  switch (reason._tag) {
    case "RateLimited":
      return { headline: "it answered 429 (rate limited)", advice: again, exitCode: codes.rateLimited }
    case "ServerFault":
      return {
        headline: `it answered ${reason.status}`,
        advice: `Check the log of the receiver. ${again}`,
        exitCode: codes.network,
      }
    case "Rejected":
      return {
        headline: `it answered ${reason.status}`,
        advice: "Check the address, and that the receiver has the same secret.",
        exitCode: codes.notAsSpecified,
      }
    case "Redirected":
      return {
        headline: `it redirects (${reason.status})`,
        advice: "Redirects are not followed. Use the address that it leads to.",
        exitCode: codes.notAsSpecified,
      }
    case "TimedOut":
      return {
        headline: `no answer within ${reason.afterMillis / 1_000} s`,
        advice: `To allow more time use --timeout N. ${again}`,
        exitCode: codes.network,
      }
    case "TransportFailed":
      return reason.phase === "tls"
        ? {
            headline: `its certificate is not trusted (${reason.code ?? reason.detail})`,
            advice:
              "Check the address and the date of this machine. Untrusted certificates are never accepted.",
            exitCode: codes.network,
          }
        : {
            headline: `no connection (${reason.code ?? reason.detail})`,
            advice: `Check the address and the network. ${again}`,
            exitCode: codes.network,
          }
  }
}

/** The failure of a command that could not deliver a digest. */
export const failureOf = (reason: Reason, origin: string, attempts: number): Failure => {
  const { advice, exitCode, headline } = entryOf(reason)
  const tries = attempts > 1 ? ` after ${count(attempts, "attempt", "attempts")}` : ""
  return new Failure({
    reason: {
      _tag: "NotifyFailed",
      kind: reason._tag,
      attempts,
      problem: `The webhook at ${origin} did not accept the digest${tries}: ${headline}. ${advice}`,
      exitCode,
    },
  })
}
