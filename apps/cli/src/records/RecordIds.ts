/**
 * The ids of `get`, from arguments, or from standard input in place of `-`. An empty or invalid id would select another form of the request
 * (Spec: Endpoints 1), so all ids are checked before anything is sent.
 */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

const mostBytes = 1_048_576
const isId = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))

/** The argument of one or more ids, or `-`. */
export const argument = (what: string): Argument.Argument<ReadonlyArray<string>> =>
  Argument.String("id").pipe(
    Argument.filter(
      (text) => text === "-" || isId(text),
      () => "a whole number from 1",
    ),
    Argument.withMetavar("ID"),
    Argument.withDescription(
      `The id of the ${what}; repeat for several, or - to read ids from standard input`,
    ),
    Argument.atLeast(1),
  )

/** The ids of a text, such as the lines of a file. Fails for the first invalid id. */
export const parse = (text: string): Effect.Effect<ReadonlyArray<number>, Failure> => {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "")
  const odd = words.find((word) => !isId(word))
  if (odd !== undefined) {
    return Effect.fail(
      usageError(
        `Invalid id "${odd.slice(0, 40)}" on standard input`,
        "Ids are whole numbers from 1, separated by spaces, commas or line breaks.",
      ),
    )
  }
  return words.length === 0
    ? Effect.fail(
        usageError("No id on standard input", "Pass ids, separated by spaces, commas or line breaks."),
      )
    : Effect.succeed(words.map(Number))
}

const readInput: Effect.Effect<string, Failure> = Effect.suspend(() => {
  if (process.stdin.isTTY) {
    return Effect.fail(
      usageError(
        "- needs a pipe, and standard input is a terminal",
        "Pass the ids as arguments, or pipe them in.",
      ),
    )
  }
  return Effect.tryPromise({
    try: async () => {
      let text = ""
      for await (const chunk of process.stdin.setEncoding("utf8")) {
        text += String(chunk)
        if (text.length > mostBytes) throw new RangeError("too long")
      }
      return text
    },
    catch: () =>
      usageError(
        "The ids on standard input could not be read, or are more than 1 MB",
        "Pass fewer at a time.",
      ),
  })
})

/** The ids in the given order. `isKeyPiped` says that standard input holds the API key. */
export const resolve = (
  words: ReadonlyArray<string>,
  isKeyPiped: boolean,
): Effect.Effect<ReadonlyArray<number>, Failure> => {
  const dashes = words.filter((word) => word === "-").length
  if (dashes === 0) return Effect.succeed(words.map(Number))
  if (dashes > 1) return Effect.fail(usageError("- can be used only once"))
  if (isKeyPiped) {
    return Effect.fail(
      usageError("Standard input cannot hold both the API key and ids", "Pass one of them in another way."),
    )
  }
  return Effect.map(Effect.flatMap(readInput, parse), (piped) =>
    words.flatMap((word) => (word === "-" ? piped : [Number(word)])),
  )
}
