/** Deletes the saved key of a profile. Nothing changes at the service. */
import * as Effect from "effect/Effect"
import type { Variables } from "../terminal/Environment.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { Profile } from "../store/Profile.ts"
import { originOf } from "../store/Profile.ts"
import { ownerOf } from "../session/Settings.ts"
import type { Failure } from "../failure/Failure.ts"

export interface Deleted {
  /** Whether a saved key was deleted. A user's own key file is never touched. */
  readonly removed: boolean
  readonly words: string
}

const revoke =
  "The key itself still works: revoke it in the service's dashboard (Settings, Integrations) if it is not needed."

/** Deletes the key of a profile from its store. */
export const remove = (
  variables: Variables,
  name: string,
  { baseUrl, key }: Profile,
): Effect.Effect<Deleted, Failure> => {
  const origin = originOf(baseUrl)
  if (key === null || origin === null) {
    return Effect.succeed({ removed: false, words: `Profile ${name} has no saved key.` })
  }
  if (key.in === "file") {
    return Effect.succeed({
      removed: false,
      words: `Profile ${name} no longer uses the file ${key.path}, which stays where it is. ${revoke}`,
    })
  }
  const store = key.in === "keychain" ? "the keychain" : "the file of plaintext keys"
  return Effect.map(KeyStore.remove(key.in, ownerOf(variables, name, origin)), (removed) => ({
    removed,
    words: removed
      ? `The key of profile ${name} is no longer in ${store}. ${revoke}`
      : `The key of profile ${name} was not in ${store} any more. ${revoke}`,
  }))
}
