/** Writes a manifest beside its file, in place of an older one. */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../AtomicFile.ts"
import type { ExportError } from "../ExportError.ts"
import type { Manifest } from "../Manifest.ts"

export const writeManifest = (path: string, manifest: Manifest): Effect.Effect<void, ExportError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* AtomicFile.make({ path, overwrite: true, mode: null })
      yield* sink.write(new TextEncoder().encode(`${Json.stringify(manifest, 2)}\n`))
      yield* sink.seal
      yield* sink.commit
    }),
  )
