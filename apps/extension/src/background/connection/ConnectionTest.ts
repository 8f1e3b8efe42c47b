/**
 * The connection test: a checkup of contracts, API keys, cursor and clock, each with one small request at most (the cursor's with a few). The
 * findings go to the page, which has the words for them. Nothing of the answers is kept except the name of the cursor parameter
 * (Spec: Endpoints 5 does not show it).
 */
import { PropertyClient, Transport } from "@deedkit/core"
import type { ClientError } from "@deedkit/core"
import * as Checkup from "@deedkit/core/checkup"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import { patternOf } from "../../messages/OriginPattern.ts"
import type { TestFinding } from "../../messages/PageMessage.ts"
import { Connection, originOfAddress } from "./Connection.ts"
import { Keys } from "../accounts/KeyStore.ts"
import { Platform } from "../browser/Platform.ts"
import { Profiles } from "../accounts/Profile.ts"
import * as Failures from "./Failures.ts"

export interface Service {
  /** Runs the test, and reports each finding as soon as it is known, and the end. */
  readonly run: (onFinding: (finding: TestFinding) => void) => Effect.Effect<void>
}

/** Sent if no key is set yet, to find out whether anything answers at the address. No service has issued it. */
const noKey = "no-key-yet"

const make = Effect.gen(function* () {
  const profiles = yield* Profiles
  const keys = yield* Keys
  const connection = yield* Connection
  const platform = yield* Platform
  const { isGranted, isOnline } = platform
  const stateOf = (error: ClientError.ClientError) => Failures.stateOf(error, isOnline())
  const clock = yield* Effect.clockWith(Effect.succeed)

  const checkup = (baseUrl: string, tell: (finding: TestFinding) => void) =>
    Effect.gen(function* () {
      const origin = originOfAddress(baseUrl)
      const stored = yield* keys.get(origin)
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
        retry: { attempts: 2, longestWaitMillis: 5_000 },
        timeLimits: { attempt: 15_000, deadline: 30_000 },
      }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)))
      const stages = [Checkup.endpoint("contracts"), Checkup.cursor, Checkup.clock(answers)]
      yield* Checkup.run(Checkup.begin(client), stages, (findings) =>
        Effect.gen(function* () {
          for (const { error, ...facts } of findings) {
            if (facts._tag === "CursorParameter" && facts.found?._tag === "Verified") {
              const { parameter } = facts.found
              yield* profiles.update((profile) =>
                profile.baseUrl === baseUrl ? { ...profile, cursorParam: parameter } : profile,
              )
              yield* connection.renew
            }
            tell({
              ...facts,
              origin,
              hasKey: stored !== null,
              about: error && Checkup.Trial.about(error),
              failure: error && stateOf(error),
            } as TestFinding)
          }
        }),
      )
    })

  return ConnectionTest.of({
    run: (tell) =>
      Effect.gen(function* () {
        const failed = (failure: Failure) => tell({ _tag: "NotRun", failure })
        const { baseUrl } = yield* profiles.get
        const origin = baseUrl === null ? "" : originOfAddress(baseUrl)
        if (baseUrl === null) failed({ _tag: "NoAddress" })
        else if (!(yield* Effect.promise(() => isGranted(patternOf(origin)))))
          failed({ _tag: "NoPermission", origin })
        else yield* Effect.catch(checkup(baseUrl, tell), (error) => Effect.sync(() => failed(stateOf(error))))
        tell({ _tag: "End" })
      }),
  })
})

export class ConnectionTest extends Context.Service<ConnectionTest, Service>()(
  "@deedkit/extension/ConnectionTest",
) {
  static readonly make = make
}
