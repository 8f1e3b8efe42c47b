/**
 * Checks files of an export against their manifest, by length and SHA-256. This finds accidental changes only: anyone who changes a file on purpose
 * can write the new hash into the manifest.
 */
import { lstat, realpath } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { ExportError } from "../error/ExportError.ts"
import type { FileCheck } from "./fileCheck.ts"
import { checkAll, checkOne, checkSidecars, isHere, orNull, readFailure } from "./fileCheck.ts"
import { readManifest } from "../proof/manifestFile.ts"
import * as Manifest from "../proof/Manifest.ts"

export interface VerifyOptions {
  /** The manifest. Default: the one beside the file. */
  readonly manifest?: string | undefined
}

export interface Verification {
  /** The path as given. */
  readonly path: string
  /** Only the members that `Manifest.isManifest` checks are known to exist. */
  readonly manifest: Manifest.Manifest
  readonly manifestPath: string
  readonly files: ReadonlyArray<FileCheck>
  /** Whether every file that could be checked matches. */
  readonly isIntact: boolean
}

const manifestEnd = ".manifest.json"

/** The file that a path leads to, and its manifest: beside the path, or beside the file that a symbolic link leads to. */
const find = (
  path: string,
  given: string | undefined,
): Effect.Effect<{ readonly path: string; readonly manifestPath: string }, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      if (given !== undefined) return { path, manifestPath: given }
      if (path.endsWith(manifestEnd)) return { path, manifestPath: path }
      const beside = Manifest.pathOf(path)
      const isLink = (await lstat(path).catch(orNull))?.isSymbolicLink() === true
      if (!isLink || (await lstat(beside).catch(orNull)) !== null) return { path, manifestPath: beside }
      const real = await realpath(path)
      return { path: real, manifestPath: Manifest.pathOf(real) }
    },
    catch: readFailure(path),
  })

/**
 * Checks a file or, given the path of a manifest, all of its files. A renamed file is recognized by its bytes. Fails with `FileMissing` if there is
 * no manifest, and with `Unreadable` if it is not a manifest, names no such file, or a file is not a regular file.
 */
export const verify = (
  given: string,
  { manifest: manifestGiven }: VerifyOptions = {},
): Effect.Effect<Verification, ExportError> =>
  Effect.gen(function* () {
    const { manifestPath, path } = yield* find(given, manifestGiven)
    const manifest = yield* readManifest(manifestPath)
    if (!manifest.files.some(({ name }) => isHere(name))) {
      const expected = "a manifest that names a file"
      return yield* new ExportError({ reason: { _tag: "Unreadable", path: manifestPath, expected } })
    }
    const own =
      path === manifestPath
        ? yield* checkAll(manifestPath, manifest)
        : [yield* checkOne(path, manifestPath, manifest)]
    const files = [...own, ...(yield* checkSidecars(manifestPath, manifest))]
    return {
      path: given,
      manifest,
      manifestPath,
      files,
      isIntact: files.every(({ state }) => state === "matches" || state === "elsewhere"),
    }
  })
