/**
 * The connection test: a checkup of contracts, API keys, cursor and clock, each with one small request at most (the cursor's with a few). The
 * findings go to the page, which has the words for them. Nothing of the answers is kept except the name of the cursor parameter
 * (Spec: Endpoints 5 does not show it). And the trials of an address and of a key before they are used.
 */
import { PropertyClient, Transport } from "@deedkit/core"
import type { ClientConfig, ClientError } from "@deedkit/core"
import type * as Redacted from "effect/Redacted"
import * as Checkup from "@deedkit/core/checkup"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../failures/ConnectionFailure.ts"
import { patternOf } from "../messages/OriginPattern.ts"
import type { TestFinding } from "../messages/PageMessage.ts"
import { Account } from "./Account.ts"
import * as Failures from "./Failures.ts"
import { Platform, refuse } from "./Platform.ts"
import { originOfAddress, ServiceClient } from "./ServiceClient.ts"

/** Sent if no key is set yet, to find out whether anything answers at the address. No service has issued it. */
const noKey = "no-key-yet"

const patience: Pick<ClientConfig.ClientOptions, "retry" | "timeLimits"> = {
  retry: { attempts: 2, longestWaitMillis: 5_000 },
  timeLimits: { attempt: 15_000, deadline: 30_000 },
}

/** Reads one contract at most; its client fails like every other one. */
const readOne = (baseUrl: string, apiKey: string | Redacted.Redacted, fetch: Transport.Fetch) =>
  Effect.gen(function* () {
    const client = yield* PropertyClient.make({ baseUrl, apiKey, ...patience })
    const { error } = yield* Checkup.Trial.one(client, "contracts")
    if (error !== null) return yield* error
  }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)))

/**
 * Fails unless what answers at the address behaves as the service does without a key: it refuses in JSON. A website answers with a page, and must
 * not get the key.
 */
export const tryAddress = Effect.fnUntraced(function* (baseUrl: string) {
  const platform = yield* Platform
  let isJson = false
  const fetch: Transport.Fetch = async (request) => {
    const response = await platform.fetch(request)
    isJson = /^application\/(?:[^;]*\+)?json\b/i.test(response.headers.get("content-type") ?? "")
    return response
  }
  return yield* Effect.catch(readOne(baseUrl, noKey, fetch), (error: ClientError.ClientError) => {
    const about = Checkup.Trial.about(error)
    if (about === "connection" || error.reason._tag === "ServerFault")
      return Effect.fail(Failures.errorOfFailure(error, platform))
    if (isJson && ["key", "scope", "service"].includes(about)) return Effect.void
    return refuse("NotTheService")
  })
})

/** Fails unless the service lets the key read contracts. */
export const tryKey = Effect.fnUntraced(function* (baseUrl: string, key: Redacted.Redacted) {
  const platform = yield* Platform
  return yield* Effect.mapError(readOne(baseUrl, key, platform.fetch), (error) =>
    Failures.errorOfFailure(error, platform),
  )
})

type Report = (finding: TestFinding) => void

const checkup = Effect.fnUntraced(function* (baseUrl: string, report: Report) {
  const account = yield* Account
  const service = yield* ServiceClient
  const platform = yield* Platform
  const clock = yield* Clock.Clock
  const origin = originOfAddress(baseUrl)
  const stored = yield* account.key(origin)
  const answers: Array<Checkup.DatedAnswer> = []
  const fetch: Transport.Fetch = async (request) => {
    const sentAt = clock.currentTimeMillisUnsafe()
    const response = await platform.fetch(request)
    const headers = { date: response.headers.get("date") }
    answers.push({ sentAt, receivedAt: clock.currentTimeMillisUnsafe(), headers })
    return response
  }
  const client = yield* PropertyClient.make({
    baseUrl,
    apiKey: stored?.key ?? noKey,
    cursorParam: "auto",
    ...patience,
  }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)))
  const stages = [Checkup.endpoint("contracts"), Checkup.cursor, Checkup.clock(answers)]
  yield* Checkup.run(Checkup.begin(client), stages, (findings) =>
    Effect.gen(function* () {
      for (const { error, ...facts } of findings) {
        if (facts._tag === "CursorParameter" && facts.found?._tag === "Verified") {
          const { parameter } = facts.found
          yield* account.update((profile) =>
            profile.baseUrl === baseUrl ? { ...profile, cursorParam: parameter } : profile,
          )
          yield* service.renew
        }
        report({
          ...facts,
          origin,
          hasKey: stored !== null,
          about: error && Checkup.Trial.about(error),
          failure: error && Failures.stateOf(error, platform.isOnline()),
        } as TestFinding)
      }
    }),
  )
})

/** Runs the test, and reports each finding as soon as it is known, and the end. */
export const run = Effect.fnUntraced(function* (report: Report) {
  const { isGranted, isOnline } = yield* Platform
  const failed = (failure: Failure) => report({ _tag: "NotRun", failure })
  const { baseUrl } = yield* (yield* Account).profile
  const origin = baseUrl === null ? "" : originOfAddress(baseUrl)
  if (baseUrl === null) failed({ _tag: "NoAddress" })
  else if (!(yield* Effect.promise(() => isGranted(patternOf(origin)))))
    failed({ _tag: "NoPermission", origin })
  else
    yield* Effect.catch(checkup(baseUrl, report), (error: ClientError.ClientError) =>
      Effect.sync(() => failed(Failures.stateOf(error, isOnline()))),
    )
  report({ _tag: "End" })
})
