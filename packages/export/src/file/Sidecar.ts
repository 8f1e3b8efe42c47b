/**
 * A file beside an export for content that could not go into the export itself, one JSON object per line. It is created with its first line and
 * gets its name together with the export. A run that has no such content removes an older sidecar.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as AtomicFile from "./AtomicFile.ts"
import type { ExportError } from "../error/ExportError.ts"
import type { Sink } from "./Sink.ts"
import * as Target from "./Target.ts"

export interface Sidecar {
  readonly path: string
  readonly append: (lines: string) => Effect.Effect<void, ExportError, Scope.Scope>
  /** Whether a line was appended. */
  readonly isUsed: () => boolean
  /** Length and hash of everything appended so far; the hash is hexadecimal. */
  readonly content: () => { readonly bytes: number; readonly sha256: string }
  readonly finish: Effect.Effect<void, ExportError>
  readonly commit: Effect.Effect<void, ExportError>
}

/** Creates nothing yet. Fails when the file exists and may not be replaced. */
export const make = (options: AtomicFile.AtomicFileOptions): Effect.Effect<Sidecar, ExportError> =>
  Effect.gen(function* () {
    const { overwrite, path } = options
    yield* Target.look(path, overwrite)
    const encoder = new TextEncoder()
    const hash = createHash("sha256")
    let bytes = 0
    let sink: Sink | null = null
    return {
      path,
      append: Effect.fnUntraced(function* (lines) {
        if (lines === "") return
        sink ??= yield* AtomicFile.make(options)
        const chunk = encoder.encode(lines)
        hash.update(chunk)
        bytes += chunk.byteLength
        yield* sink.write(chunk)
      }),
      isUsed: () => sink !== null,
      content: () => ({ bytes, sha256: hash.copy().digest("hex") }),
      finish: Effect.suspend(() => sink?.finish ?? Effect.void),
      commit: Effect.suspend(() => sink?.commit ?? (overwrite ? AtomicFile.remove(path) : Effect.void)),
    }
  })
