/**
 * The files that stand beside a file of a run, for a while or for good: their names, and whether these can be had. Asked before the first
 * request, because a name that turns out too long, or taken by the run itself, would cost everything that was read until then.
 */
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import { ExportError } from "../error/ExportError.ts"
import * as Manifest from "../proof/Manifest.ts"
import * as Signature from "../proof/Signature.ts"
import * as Journal from "./Journal.ts"

/** Where the records of a run are that are not as specified. */
export const rejectedOf = (path: string): string => `${path}.rejected.ndjson`

/** Where the texts of a run are that are too long for a cell. */
export const textsOf = (path: string): string => `${path}.texts.ndjson`

/** Every file that a run makes for one of its files, itself included. */
const allOf = (path: string): ReadonlyArray<string> => [
  path,
  rejectedOf(path),
  textsOf(path),
  Manifest.pathOf(path),
  Signature.pathOf(Manifest.pathOf(path)),
  Manifest.interruptedPathOf(path),
  Journal.pathOf(path),
]

/** Fails with `TargetTwice` or `NameTooLong`, which name a file of the run, where the files beside these cannot be made. Makes nothing. */
export const check = (files: ReadonlyArray<string>): Effect.Effect<void, ExportError> =>
  Effect.gen(function* () {
    const all = files.flatMap(allOf)
    const twice = all.find((path, at) => all.indexOf(path) !== at)
    if (twice !== undefined) return yield* new ExportError({ reason: { _tag: "TargetTwice", path: twice } })
    for (const file of files) {
      yield* Effect.forEach(allOf(file), (path) => AtomicFile.tryName(path, file), { discard: true })
    }
  })

/** Removes the part files of all of them that killed runs left. */
export const sweep = (files: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(files.flatMap(allOf), AtomicFile.sweep, { discard: true })
