/**
 * Finds the record of the key in use in the list of API keys. The service does not identify it: no record holds a secret, and no key id is specified
 * for `/v1/me/` (Spec: Endpoints 4, 7). The record is therefore known only when exactly one matches.
 *
 * `last_used_at` does not help: a service may update it late, and the record of a busier key would match.
 */
import { ApiKey } from "@deedkit/core"
import type { ClientError, PropertyClient } from "@deedkit/core"
import type { Trial } from "@deedkit/core/checkup"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export type OwnRecord =
  | { readonly _tag: "Known"; readonly record: ApiKey.ApiKey; readonly why: string }
  | { readonly _tag: "Unknown"; readonly why: string }

const limit = 100
const mostPages = 5

/** Whether a record matches what the trials of the key showed. Pure. */
const fits = (record: ApiKey.ApiKey, trials: ReadonlyArray<Trial.Trial>): boolean =>
  !ApiKey.isRevoked(record) &&
  trials.every(({ error, scope }) => {
    if (scope === null) return true
    if (error === null) return record.scopes.includes(scope)
    return error.reason._tag !== "Forbidden" || !record.scopes.includes(scope)
  })

/** Finds the record among all of them. Pure. */
export const among = (
  records: ReadonlyArray<ApiKey.ApiKey>,
  trials: ReadonlyArray<Trial.Trial>,
): OwnRecord => {
  const [record, ...others] = records.filter((each) => fits(each, trials))
  if (record === undefined) return { _tag: "Unknown", why: "no record matches what the key can read" }
  return others.length === 0
    ? { _tag: "Known", record, why: "the only record that is not revoked and has the scopes that worked" }
    : {
        _tag: "Unknown",
        why: `the service does not say which record belongs to this key, and ${others.length + 1} of ${records.length} match`,
      }
}

/** Reads the list of keys and finds the record. */
export const find = (
  client: PropertyClient.Service,
  trials: ReadonlyArray<Trial.Trial>,
): Effect.Effect<OwnRecord, ClientError.ClientError> =>
  Effect.gen(function* () {
    const refused = trials.find(({ endpoint, error }) => endpoint === "api-keys" && error !== null)
    if (refused !== undefined) {
      return { _tag: "Unknown", why: `the list of keys cannot be read without ${refused.scope}` }
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
      : { _tag: "Unknown", why: "the list of keys could not be read as a whole" }
  })
