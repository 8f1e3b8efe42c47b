/**
 * The query parameter that takes the cursor (Spec: Endpoints 5 does not show its name), by the client's search: a few small requests.
 */
import * as Effect from "effect/Effect"
import type { Stage } from "./Checkup.ts"
import * as Trial from "./Trial.ts"

/** Searches for the parameter in the list of contracts, where the key can read it. */
export const cursor: Stage = ({ client, trials }) => {
  const facts = { _tag: "CursorParameter", assumed: client.config.cursorParam, isCutShort: false } as const
  return Trial.works(trials, "contracts")
    ? Effect.match(client.contracts.probeCursor, {
        onFailure: (error) => [{ ...facts, found: null, error }],
        onSuccess: (found) => [{ ...facts, found, error: null }],
      })
    : Effect.succeed([])
}
