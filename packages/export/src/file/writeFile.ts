/** Writes a document of any kind to one target. A file is written whole or not at all; every other target gets the bytes directly. */
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ExportError } from "../error/ExportError.ts"
import { openSink } from "./openSink.ts"
import type { Sink } from "./Sink.ts"
import * as Target from "./Target.ts"

export interface WriteFileOptions<E, R> {
  /** A path, or `-` for standard output. */
  readonly target: string
  /** Default false. */
  readonly overwrite?: boolean | undefined
  /** The stream that `-` names. Default: the process's standard output. */
  readonly stdout?: Writable | undefined
  /** Writes the bytes in their order. Not called if the target is refused. */
  readonly content: (write: Sink["write"]) => Effect.Effect<void, E, R>
}

/** Fails as `writeTable` does, with the problem of the target or the disk. If `content` fails, no file is left. */
export const writeFile = <E, R>({
  content,
  overwrite = false,
  stdout = process.stdout,
  target,
}: WriteFileOptions<E, R>): Effect.Effect<void, E | ExportError, Exclude<R, Scope.Scope>> =>
  Effect.gen(function* () {
    const sink = yield* openSink(yield* Target.look(target, overwrite), { overwrite, stdout })
    yield* content(sink.write)
    yield* sink.finish
    yield* sink.commit
  }).pipe(Effect.scoped)
