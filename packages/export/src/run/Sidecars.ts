/**
 * The files beside a file of a run, temporary ones included: their names, and whether these can be used. They are checked before the first request:
 * a name that is too long, or used twice by the run, would cost everything that had been read.
 */
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import { ExportError } from "../error/ExportError.ts"
import * as Manifest from "../proof/Manifest.ts"
import * as Journal from "./Journal.ts"

/** The path of the rejected records. */
export const rejectedOf = (path: string): string => `${path}.rejected.ndjson`

/** The path of the texts that are too long for a cell. */
export const textsOf = (path: string): string => `${path}.texts.ndjson`

/** Every file that a run makes for one of its files, itself included. */
const allOf = (path: string): ReadonlyArray<string> => [
  path,
  rejectedOf(path),
  textsOf(path),
  Manifest.pathOf(path),
  Manifest.interruptedPathOf(path),
  Journal.pathOf(path),
]

/** Checks that the sidecars can be created. Creates nothing. Fails with `TargetTwice` or `NameTooLong`, which name a file of the run. */
export const check = (files: ReadonlyArray<string>): Effect.Effect<void, ExportError> =>
  Effect.gen(function* () {
    const all = files.flatMap(allOf)
    const twice = all.find((path, at) => all.indexOf(path) !== at)
    if (twice !== undefined) return yield* new ExportError({ reason: { _tag: "TargetTwice", path: twice } })
    for (const file of files) {
      yield* Effect.forEach(allOf(file), (path) => AtomicFile.tryName(path, file), { discard: true })
    }
  })

/** Removes the part files that killed runs left for any of these files. */
export const sweep = (files: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(files.flatMap(allOf), AtomicFile.sweep, { discard: true })
