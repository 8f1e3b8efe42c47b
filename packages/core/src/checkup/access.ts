/**
 * The stages about address, encryption, key, scopes and cursor: one small request for each endpoint that is tried, and a few for the name of the
 * cursor's query parameter (Spec: Endpoints 5 does not show it).
 */
import * as Effect from "effect/Effect"
import type { Stage } from "./Checkup.ts"
import type { Finding } from "./Finding.ts"
import * as Trial from "./Trial.ts"

/** Tries every endpoint: what answers at the address, and the encryption. */
export const connection: Stage = ({ client, trials }) =>
  Effect.map(Trial.run(client), (tried) => {
    trials.push(...tried)
    const { base, origin } = client.config
    const error = Trial.failure(tried)
    const isAnswered = error === null || Trial.about(error) !== "connection"
    const isEncrypted = origin.startsWith("https:")
    const address: Finding = { _tag: "Address", base, trials: tried, error }
    // Without encryption, there is no finding about it until the service answers.
    return isEncrypted || Trial.ending(tried) === null
      ? [address, { _tag: "Tls", isEncrypted, error: isAnswered ? null : error }]
      : [address]
  })

const ofTrial = (trial: Trial.Trial): Finding => ({ _tag: "Scope", ...trial })

/** The key, and which of the tried endpoints it can read. */
export const key: Stage = ({ trials }) => {
  const error = Trial.failure(trials)
  const isRefused = error !== null && Trial.about(error) === "key"
  return Effect.succeed([{ _tag: "Key", error }, ...(isRefused ? [] : trials.map(ofTrial))])
}

/** Tries one endpoint, unless an earlier one failed for a reason other than its scope. */
export const endpoint =
  (tried: Trial.Endpoint): Stage =>
  ({ client, trials }) =>
    trials.every(({ error }) => error === null || Trial.about(error) === "scope")
      ? Effect.map(Trial.one(client, tried), (trial) => {
          trials.push(trial)
          return [ofTrial(trial)]
        })
      : Effect.succeed([])

/** Searches for the cursor's parameter in the list of contracts, if the key can read it. */
export const cursor: Stage = ({ client, trials }) => {
  const facts = { _tag: "CursorParameter", assumed: client.config.cursorParam, isCutShort: false } as const
  return Trial.works(trials, "contracts")
    ? Effect.match(client.contracts.probeCursor, {
        onFailure: (error) => [{ ...facts, found: null, error }],
        onSuccess: (found) => [{ ...facts, found, error: null }],
      })
    : Effect.succeed([])
}
