/**
 * The names of accounts. A name is shown in terminals and pages, compared, and stored in two databases, so it is one line of text that looks like what
 * it is.
 */
import * as Effect from "effect/Effect"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"

const mostCharacters = 128

/** Control characters, halves of characters, characters without a common meaning, line separators, and what changes the direction of text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** What is wrong with a name, the rest of a sentence that begins with it; null for a valid one. */
export const problemOf = (name: string): string | null => {
  if (name === "") return "is empty"
  if (name.length > mostCharacters) return `is longer than ${mostCharacters} characters`
  if (unseen.test(name)) return "holds a character that is not seen"
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) return "reads as a path"
  return name === name.trim() ? null : "begins or ends with white space"
}

/** Fails with `AccountNameInvalid` for the first name that is not valid. */
export const requireNames = (names: Iterable<string>): Effect.Effect<void, SyncError> =>
  Effect.suspend(() => {
    for (const account of names) {
      const problem = problemOf(account)
      if (problem !== null) return Effect.fail(syncError({ _tag: "AccountNameInvalid", account, problem }))
    }
    return Effect.void
  })
