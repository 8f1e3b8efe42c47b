/**
 * `--ping URL`: tells a monitor how a command ended, with one GET request that holds nothing but that. The monitor then knows that a scheduled command
 * failed, or was never run. A ping that fails is said, and changes nothing else.
 */
import { Transport } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { version } from "../command/Version.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import type { Environment } from "../terminal/Environment.ts"
import * as Connections from "./Connections.ts"

const mostMillis = 10_000

/** Reads the address of a monitor. */
export const parse = (text: string): Result.Result<URL, Failure> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? Result.succeed(url)
    : Result.fail(
        usageError(
          "--ping takes the URL that your monitor gives you, and this is not one",
          "A URL begins with https:// or http://, without user and password.",
        ),
      )
}

/**
 * The address that tells an exit code. Uptime Kuma takes `status=up` or `down`, Cronitor `state=complete` or `fail`; Healthchecks.io, Better Stack and
 * others take the address as it is for success, and with `/fail` for failure.
 */
export const addressOf = (monitor: URL, exitCode: number): URL => {
  const url = new URL(monitor)
  const isFine = exitCode === 0
  if (/\/api\/push\/[^/]+\/?$/.test(url.pathname) || url.searchParams.has("status")) {
    url.searchParams.set("status", isFine ? "up" : "down")
    url.searchParams.set("msg", `exit code ${exitCode}`)
  } else if (url.hostname === "cronitor.link" || url.searchParams.has("state")) {
    url.searchParams.set("state", isFine ? "complete" : "fail")
  } else if (!isFine) {
    url.pathname = `${url.pathname.replace(/\/$/, "")}/fail`
  }
  return url
}

const request = (url: URL) =>
  Effect.gen(function* () {
    yield* Connections.proxyOf(String(url))
    const send = yield* Connections.open(1)
    const { status } = yield* Effect.tryPromise({
      try: (signal) =>
        send(
          {
            url: String(url),
            headers: { "user-agent": `deedkit/${version}`, accept: "*/*" },
            connectMillis: mostMillis,
            idleMillis: mostMillis,
            maxBodyBytes: 1_048_576,
          },
          { signal, onCancel: (listener) => signal.addEventListener("abort", listener) },
        ),
      catch: (cause) =>
        cause instanceof Transport.TransportFault ? (cause.code ?? cause.phase) : "no connection",
    })
    return status >= 200 && status < 300 ? null : `it answered with ${status}`
  }).pipe(Effect.scoped)

/** Tells the monitor an exit code. Gives the sentence that says why that failed, null if it did not. Names only the host: the rest of the address is a secret. */
export const send = (monitor: URL, exitCode: number): Effect.Effect<string | null, never, Environment> =>
  request(addressOf(monitor, exitCode)).pipe(
    Effect.retry({
      times: 2,
      schedule: Schedule.spaced("1 second"),
      while: (error) => typeof error === "string",
    }),
    Effect.catch((error) => Effect.succeed(typeof error === "string" ? error : error.message)),
    Effect.timeoutOrElse({
      duration: mostMillis,
      orElse: () => Effect.succeed(`no answer within ${mostMillis / 1_000} s`),
    }),
    Effect.map((problem) =>
      problem === null ? null : `The ping to ${monitor.origin} failed: ${problem.replace(/\.$/, "")}.`,
    ),
  )
