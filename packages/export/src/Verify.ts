/**
 * Checks files of an export against the manifest beside them: each byte, by length and SHA-256.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { ExportError } from "./ExportError.ts"
import { fileFailure } from "./internal/fileFailure.ts"
import * as Manifest from "./Manifest.ts"

/** What became of a file since its export. */
export interface FileCheck {
  readonly path: string
  readonly state: "as exported" | "changed" | "missing"
  /** Bytes that there are, and that there should be. */
  readonly bytes: number | null
  readonly expectedBytes: number
}

export interface Verification {
  readonly manifest: Manifest.Manifest
  readonly manifestPath: string
  readonly files: ReadonlyArray<FileCheck>
  /** Whether every file is as it was exported. */
  readonly isIntact: boolean
}

const manifestEnd = ".manifest.json"

const readManifest = (path: string): Effect.Effect<Manifest.Manifest, ExportError> =>
  Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: fileFailure("look at", path) }).pipe(
    Effect.flatMap((text) => {
      try {
        const value = Json.parse(text)
        if (Manifest.isManifest(value)) return Effect.succeed(value as unknown as Manifest.Manifest)
      } catch {
        // Said below, like every other text that is no manifest.
      }
      return Effect.fail(
        new ExportError({ reason: { _tag: "Unreadable", path, expected: "a manifest of an export" } }),
      )
    }),
  )

const check = (
  path: string,
  { bytes, sha256 }: Manifest.ManifestFile,
): Effect.Effect<FileCheck, ExportError> =>
  Effect.tryPromise({
    try: async (): Promise<FileCheck> => {
      const there = await stat(path).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === "ENOENT") return null
        throw cause
      })
      if (there === null) return { path, state: "missing", bytes: null, expectedBytes: bytes }
      const hash = createHash("sha256")
      await pipeline(createReadStream(path), hash)
      const isSame = there.size === bytes && hash.digest("hex") === sha256
      return { path, state: isSame ? "as exported" : "changed", bytes: there.size, expectedBytes: bytes }
    },
    catch: fileFailure("look at", path),
  })

/**
 * Checks a file, or with the path of a manifest all of its files. Fails with `FileFailed` where there is no manifest, and with `Unreadable`
 * where it is none.
 */
export const verify = (path: string): Effect.Effect<Verification, ExportError> =>
  Effect.gen(function* () {
    const isManifest = path.endsWith(manifestEnd)
    const manifestPath = isManifest ? path : Manifest.pathOf(path)
    const manifest = yield* readManifest(manifestPath)
    const name = basename(path)
    const wanted = isManifest ? manifest.files : manifest.files.filter((file) => file.name === name)
    if (wanted.length === 0) {
      return yield* new ExportError({
        reason: { _tag: "Unreadable", path: manifestPath, expected: `a manifest that names ${name}` },
      })
    }
    const files = yield* Effect.forEach(wanted, (file) => check(join(dirname(path), file.name), file))
    return {
      manifest,
      manifestPath,
      files,
      isIntact: files.every(({ state }) => state === "as exported"),
    }
  })
