/**
 * All API keys of the account, for the export page (Spec: Endpoints, row 1). They are not stored: keys are few, and a stored list
 * would be of use only to a thief. The records hold no secret. Contracts need other scopes (Spec: Authentication 5), so a key that may not list
 * keys is not a failure of the extension, and one that may list them does not end the failure of another scope.
 */
import type { ApiKey, ClientError, ReadSummary } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ApiKeysAnswer } from "../../messages/PageMessage.ts"
import { Connection } from "../connection/Connection.ts"
import type { NotReady } from "../connection/Failures.ts"
import { Platform } from "../browser/Platform.ts"
import { LastFailure } from "../connection/LastFailure.ts"

export interface Service {
  readonly all: Effect.Effect<ApiKeysAnswer, ClientError.ClientError | NotReady>
}

/** Most records that are read: one message carries them to the page. */
const mostKeys = 10_000

/** How often the browser is notified that the list is being read; after 30 seconds without, it would stop the background. */
const awakeEveryMillis = 20_000

const make = Effect.gen(function* () {
  const connection = yield* Connection
  const lastFailure = yield* LastFailure
  const { stayAwake } = yield* Platform
  const staysAwake = Effect.forever(Effect.delay(Effect.promise(stayAwake), awakeEveryMillis))

  const read = Effect.gen(function* () {
    const client = yield* connection.get
    const isOurs = connection.account()
    const keys: Array<ApiKey.ApiKey> = []
    let sync: ReadSummary | null = null
    const pages = client.apiKeys.pages({ onRejected: "collect", prove: true })
    yield* pages.pipe(
      Stream.takeUntil(({ summary }) => summary.records >= mostKeys),
      Stream.runForEach(({ records, summary }) =>
        Effect.sync(() => {
          for (const key of records) keys.push(key)
          sync = summary
        }),
      ),
      Effect.tapError((error) =>
        error.reason._tag !== "Forbidden" && isOurs() ? lastFailure.failed(error) : Effect.void,
      ),
    )
    if (isOurs()) yield* lastFailure.endedWithoutScope
    const readAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const last = sync as ReadSummary | null
    const summary = last && { ...last, complete: last.complete && keys.length <= mostKeys }
    return {
      apiKeys: Json.stringify(keys.slice(0, mostKeys)),
      readAt,
      complete: summary?.complete ?? false,
      sync: summary,
    }
  })
  return ApiKeyList.of({ all: Effect.raceFirst(read, staysAwake) })
})

export class ApiKeyList extends Context.Service<ApiKeyList, Service>()("@deedkit/extension/ApiKeyList") {
  static readonly make = make
}
