/**
 * The command `get` of a kind of records: one record by id or several, as fields or as the JSON that was received, digit for digit. Several records
 * keep the order of their ids, and an unknown id does not affect the others.
 *
 * The ids come from arguments, or from standard input in place of `-`. An empty or invalid id would select another form of the request (Spec:
 * Endpoints 1), so all ids are checked before anything is sent.
 */
import type { ClientError, Lookup, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import { root } from "../command/SharedFlags.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as Session from "../session/Session.ts"
import { dress } from "../terminal/TerminalText.ts"
import * as FieldList from "./FieldList.ts"
import type { RecordKind } from "./RecordKind.ts"
import * as RecordQuery from "./RecordQuery.ts"
import * as RecordText from "./RecordText.ts"

const mostBytes = 1_048_576
const isId = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))

/** The ids in an argument: `7`, `#7` or `7,8`. */
const idsIn = (text: string): ReadonlyArray<string> => text.split(",").map((part) => part.replace(/^#/, ""))

/** The argument of one or more ids, or `-`. */
export const idArgument = (what: string): Argument.Argument<ReadonlyArray<string>> =>
  Argument.String("id").pipe(
    Argument.filter(
      (text) => text === "-" || idsIn(text).every(isId),
      (text) =>
        /^[1-9]\d*$/.test(text) ? `a whole number up to ${Number.MAX_SAFE_INTEGER}` : "a whole number from 1",
    ),
    Argument.withMetavar("ID"),
    Argument.withDescription(
      `The id of the ${what}; repeat for several, or - to read ids from standard input`,
    ),
    Argument.atLeast(1),
    Argument.map((words) => words.flatMap(idsIn)),
  )

/** The ids of a text, such as the lines of a file. Fails for the first invalid id. */
export const parseIds = (text: string): Effect.Effect<ReadonlyArray<number>, Failure> => {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "")
  const odd = words.find((word) => !isId(word))
  if (odd !== undefined) {
    return usageError(
      `Invalid id "${odd.slice(0, 40)}" on standard input`,
      "Ids are whole numbers from 1, separated by spaces, commas or line breaks.",
    )
  }
  return words.length === 0
    ? usageError("No id on standard input", "Pass ids, separated by spaces, commas or line breaks.")
    : Effect.succeed(words.map(Number))
}

const readInput: Effect.Effect<string, Failure> = Effect.suspend(() => {
  if (process.stdin.isTTY) {
    return usageError(
      "- needs a pipe, and standard input is a terminal",
      "Pass the ids as arguments, or pipe them in.",
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
export const resolveIds = (
  words: ReadonlyArray<string>,
  isKeyPiped: boolean,
): Effect.Effect<ReadonlyArray<number>, Failure> => {
  const dashes = words.filter((word) => word === "-").length
  if (dashes === 0) return Effect.succeed(words.map(Number))
  if (dashes > 1) return usageError("- can be used only once")
  if (isKeyPiped) {
    return usageError(
      "Standard input cannot hold both the API key and ids",
      "Pass one of them in another way.",
    )
  }
  return Effect.map(Effect.flatMap(readInput, parseIds), (piped) =>
    words.flatMap((word) => (word === "-" ? piped : [Number(word)])),
  )
}

export interface GetChoices {
  /** The ids as they were given; `-` stands for standard input. */
  readonly ids: ReadonlyArray<string>
  readonly ndjson: boolean
  readonly jsonFields: ReadonlyArray<string> | undefined
  readonly options?: PropertyClient.GetContractOptions
}

const foundIn = <A>(lookups: ReadonlyArray<Lookup<A>>): ReadonlyArray<A> =>
  lookups.flatMap((lookup) => (lookup._tag === "Found" ? [lookup.record] : []))

const unknownIn = (lookups: ReadonlyArray<Lookup<unknown>>): ReadonlyArray<number> => [
  ...new Set(lookups.flatMap((lookup) => (lookup._tag === "Unknown" ? [lookup.id] : []))),
]

/** Requests the records. A single unknown id is an error with the service's response; among several ids it is part of the result. */
const lookup = <A>(
  records: PropertyClient.Records<A, PropertyClient.GetContractOptions>,
  ids: ReadonlyArray<number>,
  isOne: boolean,
  options: PropertyClient.GetContractOptions | undefined,
): Effect.Effect<ReadonlyArray<Lookup<A>>, ClientError.ClientError> => {
  const [id] = ids
  return isOne && id !== undefined
    ? Effect.map(records.get(id, options), (record) => [{ _tag: "Found", id, record }])
    : records.getMany(ids, options)
}

/** Reads and prints. As JSON, one id gives the record itself; several ids or `-` give a document with `items` and `unknown`. */
export const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  { ids: words, jsonFields, ndjson, options }: GetChoices,
): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    yield* RecordQuery.checkForm(flags.json, ndjson)
    const shape = RecordText.shaped(kind.table, yield* RecordQuery.columnsOf(kind.table, jsonFields))
    const ids = yield* resolveIds(words, flags.apiKeyStdin)
    const isOne = words.length === 1 && words[0] !== "-"
    const { client, terminal } = yield* Session.open(flags, "interactive")
    const lookups = yield* lookup(kind.records(client), ids, isOne, options)
    const found = foundIn(lookups)
    const unknown = unknownIn(lookups)
    if (ndjson) {
      if (found.length > 0) yield* terminal.json(RecordText.jsonLines(found.map(shape), client.redact))
    } else if (flags.json) {
      const items = found.map(shape)
      yield* terminal.json(RecordText.json(isOne ? (items[0] ?? null) : { items, unknown }, client.redact, 2))
    } else {
      const blocks = found.map((record) =>
        FieldList.render(FieldList.ofRecord(kind, record, client.redact), terminal.style),
      )
      yield* terminal.dressed(
        blocks.flatMap((block, index) => (index === 0 ? block : dress([""]).concat(block))),
      )
    }
    if (unknown.length > 0)
      return yield* new Failure({
        reason: { _tag: "UnknownIds", what: kind.one, ids: unknown, found: found.length },
      })
  }).pipe(Effect.scoped)
