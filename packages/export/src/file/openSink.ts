/** Opens the sink of a target: standard output, a named pipe, a device, or a file that gets its name only when it is whole. */
import type { Writable } from "node:stream"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as AtomicFile from "./AtomicFile.ts"
import type { ExportError } from "../error/ExportError.ts"
import * as Sink from "./Sink.ts"
import type { Target } from "./Target.ts"

/** Opens the sink. `stdout` is the stream that `-` names. */
export const openSink = (
  target: Target,
  { overwrite, stdout }: { readonly overwrite: boolean; readonly stdout: Writable },
): Effect.Effect<Sink.Sink, ExportError, Scope.Scope> => {
  switch (target._tag) {
    case "Stdout":
      return Sink.fromStream(stdout)
    case "NamedPipe":
      return Sink.namedPipe(target.path)
    case "Device":
      return Sink.device(target.path)
    case "File":
      return AtomicFile.make({ path: target.path, overwrite, mode: target.mode })
  }
}
