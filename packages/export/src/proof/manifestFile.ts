/** Reads manifests, and writes them in place of older ones, with the hash of the previous one and a signature. */
import { createHash } from "node:crypto"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as AtomicFile from "../file/AtomicFile.ts"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "../file/fileFailure.ts"
import { readRegular } from "../file/regularFile.ts"
import type { Manifest } from "./Manifest.ts"
import { isManifest } from "./Manifest.ts"
import * as Signature from "./Signature.ts"
import * as WellFormed from "../table/WellFormed.ts"

/** Largest manifest that is read, in bytes: far more than any run writes. */
const mostBytes = 16 * 1_048_576

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const expected = "a manifest of an export"

/**
 * The manifest in a file, and its bytes. Fails with `FileMissing`, `FileFailed`, or `Unreadable` for a file that is not a manifest. Only the
 * members that `isManifest` checks are known to exist.
 */
export const readManifest = (
  path: string,
): Effect.Effect<{ readonly bytes: Buffer; readonly manifest: Manifest }, ExportError> =>
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
      return { bytes, manifest: value as unknown as Manifest }
    },
    catch: (cause) => (cause instanceof ExportError ? cause : fileFailure("read", path)(cause)),
  })

const bytesOf = (manifest: Manifest): Uint8Array =>
  new TextEncoder().encode(`${WellFormed.stringify(manifest as unknown as Json.Json, 2).json}\n`)

/**
 * The hash of the manifest at a path. If this run wrote that manifest before it was interrupted while writing its manifests, or if it says the same
 * about the same reads of a mirror, the hash that it names as previous.
 */
const previousOf = (
  path: string,
  manifest: Omit<Manifest, "previous">,
  isRepeated: boolean,
): Effect.Effect<Manifest["previous"]> =>
  readManifest(path).pipe(
    Effect.map(({ bytes, manifest: before }) => {
      const kept = typeof before.previous?.sha256 === "string" ? { sha256: before.previous.sha256 } : null
      const isOwn = isRepeated && before.startedAt === manifest.startedAt
      const isSame = manifest.mirror !== undefined && bytes.equals(bytesOf({ ...manifest, previous: kept }))
      return isOwn || isSame ? kept : { sha256: sha256(bytes) }
    }),
    Effect.orElseSucceed(() => null),
  )

export interface WriteManifestOptions {
  /** The path of an older manifest of the same files; default: where this one goes. */
  readonly before?: string | undefined
  /** Whether this run was interrupted while it wrote its manifests, so that the existing one may be its own. Default false. */
  readonly isRepeated?: boolean | undefined
  readonly signer?: Signature.Signer | undefined
}

/** Writes a manifest in place of an older one, whose signature is removed. Succeeds with the manifest as written. */
export const writeManifest = (
  path: string,
  manifest: Omit<Manifest, "previous">,
  { before = path, isRepeated = false, signer }: WriteManifestOptions = {},
): Effect.Effect<Manifest, ExportError> =>
  Effect.gen(function* () {
    const whole = { ...manifest, previous: yield* previousOf(before, manifest, isRepeated) }
    const bytes = bytesOf(whole)
    yield* AtomicFile.writeWhole(path, bytes)
    const signaturePath = Signature.pathOf(path)
    yield* signer === undefined
      ? AtomicFile.remove(signaturePath)
      : AtomicFile.writeWhole(signaturePath, signer.sign(bytes))
    return whole
  })

/** Removes a manifest and its signature. */
export const removeManifest = (path: string): Effect.Effect<void, ExportError> =>
  Effect.andThen(AtomicFile.remove(path), AtomicFile.remove(Signature.pathOf(path)))
