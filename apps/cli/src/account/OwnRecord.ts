/**
 * Which record in the list of API keys is that of the key in use. The service does not say: no secret is in a record, and no id of a key is
 * specified for `/v1/me/` (Spec: Endpoints 4, 7). So it is told only when exactly one record fits, and else not guessed.
 *
 * `last_used_at` is no help: a service may write it late, and then the record of a busier key would seem to be the one.
 */
import { ApiKey, ServiceRequest } from "@deedkit/core"
import type { ClientError, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Trial } from "./KeyTrial.ts"

export type OwnRecord =
  | { readonly _tag: "Told"; readonly record: ApiKey.ApiKey; readonly why: string }
  | { readonly _tag: "CannotTell"; readonly why: string }

const limit = 100
const mostPages = 5

/** Whether a record can be that of a key which did what the trials say. Pure. */
const fits = (record: ApiKey.ApiKey, trials: ReadonlyArray<Trial>): boolean =>
  !ApiKey.isRevoked(record) &&
  trials.every(({ error, scope }) => {
    if (scope === null) return true
    if (error === null) return record.scopes.includes(scope)
    return error.reason._tag !== "Forbidden" || !record.scopes.includes(scope)
  })

/** Tells the record out of all of them. Pure. */
export const among = (records: ReadonlyArray<ApiKey.ApiKey>, trials: ReadonlyArray<Trial>): OwnRecord => {
  const [record, ...others] = records.filter((each) => fits(each, trials))
  if (record === undefined)
    return { _tag: "CannotTell", why: "no record fits what the key was allowed to do" }
  return others.length === 0
    ? { _tag: "Told", record, why: "the only record that is not revoked and has the scopes that worked" }
    : {
        _tag: "CannotTell",
        why: `the service does not say which record is this key's, and ${others.length + 1} of ${records.length} would fit`,
      }
}

/** Reads the list of keys and tells the record. */
export const find = (
  client: PropertyClient.Service,
  trials: ReadonlyArray<Trial>,
): Effect.Effect<OwnRecord, ClientError.ClientError> =>
  Effect.gen(function* () {
    const { scope } = ServiceRequest.apiKeys
    if (trials.some((trial) => trial.scope === scope && trial.error !== null)) {
      return { _tag: "CannotTell", why: `the list of keys cannot be read without ${scope}` }
    }
    const reading = client.apiKeys.pages({ limit, onRejected: "collect", readAhead: 0 })
    const pages = yield* Stream.runCollect(Stream.take(reading, mostPages))
    const isWhole =
      pages.at(-1)?.summary.complete === true && pages.every(({ rejected }) => rejected.length === 0)
    return isWhole
      ? among(
          pages.flatMap(({ records }) => records),
          trials,
        )
      : { _tag: "CannotTell", why: "the list of keys could not be read as a whole" }
  })
