/**
 * The staged connection test: address, TLS, key, scopes, cursor and clock, each with one small request at most (the cursor's with a few),
 * and each answer in plain words. A stage that cannot be judged because of an earlier one is skipped, and says so. Nothing that comes is
 * kept, but the name of the cursor's parameter (Spec: Endpoints 5 does not show it).
 */
import { PropertyClient, Transport } from "@deedkit/core"
import type { ClientError, Probe } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import { patternOf } from "../../messages/OriginPattern.ts"
import type { TestStage } from "../../messages/PageMessage.ts"
import { Connection, originOfAddress } from "./Connection.ts"
import { Keys } from "../accounts/KeyStore.ts"
import { Platform } from "../browser/Platform.ts"
import type { Service as PlatformService } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"
import * as UserErrors from "../errors/UserErrors.ts"
import * as States from "../errors/ConnectionState.ts"

export interface Service {
  /** Runs the test and hands out each stage as it ends, in the order of `stages`. */
  readonly run: (onStage: (stage: TestStage) => void) => Effect.Effect<void>
}

/** Every stage, in its order. */
const stages = ["address", "tls", "key", "contracts", "keys", "cursor", "clock"] as const

/** Difference between this machine's clock and the service's that is worth a warning. */
const clockMinutes = 5

/** Sent where no key is set yet, to learn whether anything answers at the address. No service has given it out. */
const noKey = "no-key-yet"

/** What the first small page of contracts says about address, TLS, key and scope. `failure` is null when it came. */
const judgeFirstAnswer = (
  failure: Failure | null,
  origin: string,
  hasKey: boolean,
  text: PlatformService["text"],
): ReadonlyArray<TestStage> => {
  const message = failure === null ? "" : UserErrors.sentencesOf(failure, text)
  const address: TestStage = { stage: "address", outcome: "ok", message: text("testAddressOk", origin) }
  const tls: TestStage = origin.startsWith("https:")
    ? { stage: "tls", outcome: "ok", message: text("testTlsOk") }
    : { stage: "tls", outcome: "skipped", message: text("testTlsNone") }
  const key: TestStage = hasKey
    ? { stage: "key", outcome: "ok", message: text("testKeyOk") }
    : { stage: "key", outcome: "failed", message: UserErrors.sentencesOf({ _tag: "NoKey" }, text) }
  switch (failure?._tag) {
    case undefined:
      return [address, tls, key, { stage: "contracts", outcome: "ok", message: text("testContractsOk") }]
    case "MissingScope":
      return [address, tls, key, { stage: "contracts", outcome: "failed", message }]
    case "WrongKey":
      return [address, tls, hasKey ? { stage: "key", outcome: "failed", message } : key]
    case "Offline":
    case "Unreachable":
      return [{ ...address, outcome: "failed", message }]
    case "UnreadableData":
      return [{ ...address, outcome: "failed", message }, tls]
    default:
      return [
        address,
        tls,
        { stage: "key", outcome: "skipped", message: text("testSkipped") },
        { stage: "contracts", outcome: "failed", message },
      ]
  }
}

const judgeCursor = (finding: Probe.CursorFinding, text: PlatformService["text"]): TestStage => {
  switch (finding._tag) {
    case "Verified":
      return { stage: "cursor", outcome: "ok", message: text("testCursorOk", finding.parameter) }
    case "CannotTell":
      return { stage: "cursor", outcome: "warning", message: text("testCursorUnknown") }
    case "NoneWorks":
      return { stage: "cursor", outcome: "failed", message: text("testCursorNone") }
  }
}

const judgeClock = (serverMillis: number, now: number, text: PlatformService["text"]): TestStage => {
  const minutes = Math.round(Math.abs(serverMillis - now) / 60_000)
  return minutes <= clockMinutes
    ? { stage: "clock", outcome: "ok", message: text("testClockOk") }
    : { stage: "clock", outcome: "warning", message: text("testClockOff", String(minutes)) }
}

const make = Effect.gen(function* () {
  const profiles = yield* Profiles
  const keys = yield* Keys
  const connection = yield* Connection
  const platform = yield* Platform
  const { isGranted, isOnline, text } = platform
  const failureOf = (error: ClientError.ClientError) => States.ofError(error, isOnline())

  const stagesOf = (baseUrl: string, tell: (stage: TestStage) => void) =>
    Effect.gen(function* () {
      const origin = originOfAddress(baseUrl)
      const stored = yield* keys.get(origin)
      let serverMillis = Number.NaN
      const fetch: Transport.Fetch = async (request) => {
        const response = await platform.fetch(request)
        serverMillis = Date.parse(response.headers.get("date") ?? "")
        return response
      }
      const client = yield* PropertyClient.make({
        baseUrl,
        apiKey: stored?.key ?? noKey,
        cursorParam: "auto",
        policy: { attempts: 2, longestWaitMillis: 5_000 },
        timeLimits: { attempt: "15 seconds", deadline: "30 seconds" },
      }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)))
      const first = yield* Effect.match(client.contracts.collect({ limit: 1, max: 1 }), {
        onFailure: failureOf,
        onSuccess: () => null,
      })
      const judged = judgeFirstAnswer(first, origin, stored !== null, text)
      judged.forEach(tell)
      const isOk = (stage: TestStage["stage"]) =>
        judged.some((known) => known.stage === stage && known.outcome === "ok")
      if (isOk("key")) {
        tell(
          yield* Effect.match(client.apiKeys.collect({ limit: 1, max: 1 }), {
            onFailure: (): TestStage => ({
              stage: "keys",
              outcome: "warning",
              message: text("testKeysOptional"),
            }),
            onSuccess: (): TestStage => ({ stage: "keys", outcome: "ok", message: text("testKeysOk") }),
          }),
        )
      }
      if (isOk("contracts")) {
        const finding = yield* client.contracts.probeCursor
        if (finding._tag === "Verified") {
          yield* profiles.update((profile) =>
            profile.baseUrl === baseUrl ? { ...profile, cursorParam: finding.parameter } : profile,
          )
          yield* connection.renew
        }
        tell(judgeCursor(finding, text))
      }
      if (!Number.isNaN(serverMillis)) tell(judgeClock(serverMillis, yield* Clock.currentTimeMillis, text))
    })

  return ConnectionTest.of({
    run: (onStage) =>
      Effect.gen(function* () {
        const left = new Set<TestStage["stage"]>(stages)
        const tell = (stage: TestStage): void => {
          for (const earlier of stages) {
            if (earlier === stage.stage) break
            if (left.delete(earlier))
              onStage({ stage: earlier, outcome: "skipped", message: text("testSkipped") })
          }
          if (left.delete(stage.stage)) onStage(stage)
        }
        const failed = (message: string) => tell({ stage: "address", outcome: "failed", message })
        const { baseUrl } = yield* profiles.get
        if (baseUrl === null) failed(UserErrors.sentencesOf({ _tag: "NoAddress" }, text))
        else if (!(yield* Effect.promise(() => isGranted(patternOf(originOfAddress(baseUrl)))))) {
          failed(UserErrors.sentencesOf({ _tag: "NoPermission", origin: originOfAddress(baseUrl) }, text))
        } else {
          yield* Effect.catch(stagesOf(baseUrl, tell), (error) =>
            Effect.sync(() => {
              const stage = stages.find((name) => left.has(name)) ?? "clock"
              tell({ stage, outcome: "failed", message: UserErrors.sentencesOf(failureOf(error), text) })
            }),
          )
        }
        for (const stage of left) onStage({ stage, outcome: "skipped", message: text("testSkipped") })
      }),
  })
})

export class ConnectionTest extends Context.Service<ConnectionTest, Service>()(
  "@deedkit/extension/ConnectionTest",
) {
  static readonly layer = Layer.effect(ConnectionTest, make)
}
