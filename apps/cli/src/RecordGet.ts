/**
 * What the command `get` of a kind of records does: one record by id, as fields or as the JSON that came, digit for digit.
 */
import type { PropertyClient } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as FieldList from "./FieldList.ts"
import type { RecordKind } from "./RecordKind.ts"
import { root } from "./Root.ts"
import * as Session from "./Session.ts"
import type { Failure, Needs } from "./Subcommand.ts"

/** The id of a record: digits only, because an empty or odd one would ask for something else. */
export const id = (what: string): Argument.Argument<number> =>
  Argument.String("id").pipe(
    Argument.filter(
      (text) => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)),
      () => "a whole number from 1",
    ),
    Argument.map(Number),
    Argument.withDescription(`The id of the ${what}`),
  )

/** Fetches and shows. */
export const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  id: number,
  options?: PropertyClient.GetContractOptions,
): Effect.Effect<void, Failure, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    const { client, terminal } = yield* Session.open(flags, "interactive")
    const record = yield* kind.records(client).get(id, options)
    yield* flags.json
      ? terminal.json(Json.stringify(record, 2))
      : terminal.lines(FieldList.render(FieldList.ofRecord(kind, record), terminal.style))
  }).pipe(Effect.scoped)
