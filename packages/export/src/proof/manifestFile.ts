/** Reads manifests, and writes them in place of older ones. */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "../file/fileFailure.ts"
import { readRegular } from "../file/regularFile.ts"
import type { Manifest } from "./Manifest.ts"
import { isManifest } from "./Manifest.ts"
import * as WellFormed from "../table/WellFormed.ts"

/** Largest manifest that is read, in bytes: far more than any run writes. */
const mostBytes = 16 * 1_048_576

const expected = "a manifest of an export"

/**
 * The manifest in a file. Fails with `FileMissing`, `FileFailed`, or `Unreadable` for a file that is not a manifest. Only the
 * members that `isManifest` checks are known to exist.
 */
export const readManifest = (path: string): Effect.Effect<Manifest, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      const bytes = await readRegular(path, mostBytes, expected)
      let value: Json.Json = null
      try {
        value = Json.parse(bytes.toString("utf8"))
      } catch {
        // Fails below, like every other text that is not a manifest.
      }
      if (!isManifest(value)) throw new ExportError({ reason: { _tag: "Unreadable", path, expected } })
      return value as unknown as Manifest
    },
    catch: (cause) => (cause instanceof ExportError ? cause : fileFailure("read", path)(cause)),
  })

const bytesOf = (manifest: Manifest): Uint8Array =>
  new TextEncoder().encode(`${WellFormed.stringify(manifest as unknown as Json.Json, 2).json}\n`)

/** Writes a manifest in place of an older one. */
export const writeManifest = (path: string, manifest: Manifest): Effect.Effect<void, ExportError> =>
  AtomicFile.writeWhole(path, bytesOf(manifest))
