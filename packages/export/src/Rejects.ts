/**
 * The file beside an export that keeps the records that are not as specified: `NAME.rejects.ndjson`, made with the first of them.
 *
 * A bad record must not cost the rest of a table, and must not vanish either. Too many mean that something else is wrong, and stop the
 * run. Where no file can stand beside the target, the first one stops it.
 */
import type { InvalidRecord } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as AtomicFile from "./AtomicFile.ts"
import type { RejectedMember } from "./ExportError.ts"
import { ExportError } from "./ExportError.ts"
import * as Quarantine from "./Quarantine.ts"
import type { Sink } from "./Sink.ts"
import * as Target from "./Target.ts"

/** What was set aside: where, how many, and what was wrong with them. */
export interface RejectsSummary {
  readonly path: string
  readonly records: number
  readonly members: ReadonlyArray<RejectedMember>
}

export interface Rejects {
  /** Sets the records of a page aside. `seen` counts all records so far, those of the page included. */
  readonly add: (
    records: ReadonlyArray<InvalidRecord>,
    seen: number,
  ) => Effect.Effect<void, ExportError, Scope.Scope>
  /** Makes the file final; null when there was no such record. */
  readonly commit: Effect.Effect<RejectsSummary | null, ExportError>
}

/** For targets beside which no file can stand: the first record that is not as specified fails. */
export const refuse = (target: string): Rejects => ({
  add: (records) => {
    const [first] = records
    if (first === undefined) return Effect.void
    const members = Quarantine.countMembers([first])
    return Effect.fail(
      new ExportError({ reason: { _tag: "RejectsHaveNoPlace", target, id: first.id, members } }),
    )
  },
  commit: Effect.succeed(null),
})

/** Sets records aside in a file beside `target`. Fails at once when that file exists and may not be replaced. */
export const beside = (
  target: string,
  options: Omit<AtomicFile.AtomicFileOptions, "path">,
  limits: Quarantine.QuarantineLimits,
): Effect.Effect<Rejects, ExportError> =>
  Effect.gen(function* () {
    const path = `${target}.rejects.ndjson`
    yield* Target.look(path, options.overwrite)
    const encoder = new TextEncoder()
    const kept: Array<InvalidRecord> = []
    let sink: Sink | null = null
    return {
      add: Effect.fnUntraced(function* (records, seen) {
        if (records.length === 0) return
        kept.push(...records)
        if (Quarantine.tooMany(kept.length, seen, limits)) {
          const members = Quarantine.countMembers(kept)
          return yield* new ExportError({
            reason: { _tag: "TooManyRejected", rejected: kept.length, seen, members },
          })
        }
        sink ??= yield* AtomicFile.make({ ...options, path })
        yield* sink.write(encoder.encode(records.map(Quarantine.line).join("")))
      }),
      commit: Effect.suspend(() =>
        sink === null
          ? Effect.as(options.overwrite ? AtomicFile.remove(path) : Effect.void, null)
          : Effect.as(sink.commit, { path, records: kept.length, members: Quarantine.countMembers(kept) }),
      ),
    }
  })
