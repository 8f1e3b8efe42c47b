/**
 * The command `get` of a kind of records: one record by id or several, as fields or as the JSON that was received, digit for digit. Several records
 * keep the order of their ids, and an unknown id does not affect the others.
 */
import type { ClientError, Lookup, PropertyClient } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as FieldList from "./FieldList.ts"
import * as RecordIds from "./RecordIds.ts"
import * as RecordJson from "./RecordJson.ts"
import type { RecordKind } from "./RecordKind.ts"
import * as RecordQuery from "./RecordQuery.ts"
import { root } from "../command/Root.ts"
import * as Session from "../session/Session.ts"
import { dress } from "../terminal/TerminalStyle.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import { Failure } from "../failure/Failure.ts"

export interface GetChoices {
  /** The ids as they were given; `-` stands for standard input. */
  readonly ids: ReadonlyArray<string>
  readonly ndjson: boolean
  readonly jsonFields: ReadonlyArray<string> | undefined
  readonly options?: PropertyClient.GetContractOptions
}

const foundIn = <A>(lookups: ReadonlyArray<Lookup.Lookup<A>>): ReadonlyArray<A> =>
  lookups.flatMap((lookup) => (lookup._tag === "Found" ? [lookup.record] : []))

const unknownIn = (lookups: ReadonlyArray<Lookup.Lookup<unknown>>): ReadonlyArray<number> => [
  ...new Set(lookups.flatMap((lookup) => (lookup._tag === "Unknown" ? [lookup.id] : []))),
]

/** Requests the records. A single unknown id is an error with the service's response; among several ids it is part of the result. */
const lookup = <A>(
  records: PropertyClient.Records<A, PropertyClient.GetContractOptions>,
  ids: ReadonlyArray<number>,
  isOne: boolean,
  options: PropertyClient.GetContractOptions | undefined,
): Effect.Effect<ReadonlyArray<Lookup.Lookup<A>>, ClientError.ClientError> => {
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
    const shape = RecordJson.shaped(kind.table, yield* RecordQuery.columnsOf(kind.table, jsonFields))
    const ids = yield* RecordIds.resolve(words, flags.apiKeyStdin)
    const isOne = words.length === 1 && words[0] !== "-"
    const { client, terminal } = yield* Session.open(flags, "interactive")
    const lookups = yield* lookup(kind.records(client), ids, isOne, options)
    const found = foundIn(lookups)
    const unknown = unknownIn(lookups)
    if (ndjson) {
      if (found.length > 0) yield* terminal.json(RecordJson.lines(found.map(shape), client.redact))
    } else if (flags.json) {
      const items = found.map(shape)
      yield* terminal.json(RecordJson.text(isOne ? (items[0] ?? null) : { items, unknown }, client.redact, 2))
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
