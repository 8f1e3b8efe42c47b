/**
 * Checks files of an export against their manifest, by length and SHA-256, and the manifest against its signature. Also finds a later run to
 * the same files that did not finish: the files are then whole, but not the latest.
 *
 * Without a public key it finds accidental changes only: anyone who changes a file on purpose can write the new hash into the manifest.
 */
import { lstat, realpath } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { ExportError } from "../error/ExportError.ts"
import type { FileCheck } from "./fileCheck.ts"
import { checkAll, checkOne, checkSidecars, isHere, orNull, readFailure } from "./fileCheck.ts"
import { laterRun } from "./laterRun.ts"
import type { LaterRun } from "./laterRun.ts"
import { readManifest, sha256 } from "../proof/manifestFile.ts"
import { readRegular } from "../file/regularFile.ts"
import * as Manifest from "../proof/Manifest.ts"
import * as Signature from "../proof/Signature.ts"

export interface SignatureCheck {
  /**
   * `none` neither a signature nor a key · `unchecked` a signature, but no key to check it · `valid` the key signed this manifest · `missing` a
   * key, but no signature · `invalid` the signature is not one of this manifest by this key.
   */
  readonly state: "none" | "unchecked" | "valid" | "missing" | "invalid"
  readonly path: string
  /** Length of the signature file, which should be 64; null if none can be read. */
  readonly bytes: number | null
}

export interface VerifyOptions {
  /** The manifest. Default: the one beside the file. */
  readonly manifest?: string | undefined
  /** Checks the signature. Default: it is not checked. */
  readonly verifier?: Signature.Verifier | undefined
}

export interface Verification {
  /** The path as given. */
  readonly path: string
  /** Only the members that `Manifest.isManifest` checks are known to exist. */
  readonly manifest: Manifest.Manifest
  readonly manifestPath: string
  /** SHA-256 of the manifest's bytes, hexadecimal: the `previous` of the next manifest. */
  readonly manifestSha256: string
  readonly files: ReadonlyArray<FileCheck>
  /** Whether every file that could be checked matches. */
  readonly isIntact: boolean
  readonly signature: SignatureCheck
  /** A later run to the same files that did not finish; null for none. */
  readonly later: LaterRun | null
}

const manifestEnd = ".manifest.json"

/** Largest signature file that is read: more than any program would write for 64 bytes. */
const mostSignatureBytes = 65_536

const checkSignature = (
  manifestPath: string,
  bytes: Uint8Array,
  verifier: Signature.Verifier | undefined,
): Effect.Effect<SignatureCheck, ExportError> => {
  const path = Signature.pathOf(manifestPath)
  const state = (isThere: boolean, isValid: boolean): SignatureCheck["state"] => {
    if (verifier === undefined) return isThere ? "unchecked" : "none"
    return isThere ? (isValid ? "valid" : "invalid") : "missing"
  }
  return Effect.tryPromise({
    try: async (): Promise<SignatureCheck> => {
      const signature = await readRegular(path, mostSignatureBytes, "a signature").catch(orNull)
      const isValid = signature !== null && verifier?.verify(bytes, signature) === true
      return { state: state(signature !== null, isValid), path, bytes: signature?.byteLength ?? null }
    },
    catch: readFailure(path),
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "Unreadable",
      () => Effect.succeed<SignatureCheck>({ state: state(true, false), path, bytes: null }),
    ),
  )
}

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
  { manifest: manifestGiven, verifier }: VerifyOptions = {},
): Effect.Effect<Verification, ExportError> =>
  Effect.gen(function* () {
    const { manifestPath, path } = yield* find(given, manifestGiven)
    const { bytes, manifest } = yield* readManifest(manifestPath)
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
      manifestSha256: sha256(bytes),
      files,
      isIntact: files.every(({ state }) => state === "matches" || state === "elsewhere"),
      signature: yield* checkSignature(manifestPath, bytes, verifier),
      later: yield* laterRun(
        dirname(manifestPath),
        [...new Set(manifest.files.map(({ name }) => name))].filter(isHere),
        manifest.endedAt,
      ),
    }
  })
