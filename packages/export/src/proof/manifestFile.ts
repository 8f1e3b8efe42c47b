/**
 * Manifests as files: written in place of older ones, read, and compared with the files that they describe, by length and SHA-256. The comparison finds
 * accidental changes only: anyone who changes a file on purpose can write the new hash into the manifest.
 *
 * Reads regular files only, and never waits: a named pipe in place of a file could block its reader indefinitely.
 */
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { lstat, open, realpath } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "../file/fileFailure.ts"
import * as AtomicFile from "../file/AtomicFile.ts"
import * as WellFormed from "../table/WellFormed.ts"
import type { Manifest, ManifestSidecar } from "./Manifest.ts"
import { isManifest, pathOf } from "./Manifest.ts"

/** Opens a regular file. Fails with `Unreadable` for anything else, and with the platform's error if nothing exists at the path. */
const openRegular = async (path: string): Promise<{ readonly handle: FileHandle; readonly size: number }> => {
  // Undefined on Windows.
  const nonBlocking: number | undefined = constants.O_NONBLOCK
  const handle = await open(path, constants.O_RDONLY | (nonBlocking ?? 0))
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) {
      throw new ExportError({ reason: { _tag: "Unreadable", path, expected: "a regular file" } })
    }
    return { handle, size: stats.size }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

/** Reads a regular file of at most `most` bytes; fails with `Unreadable` for a larger one. */
const readRegular = async (path: string, most: number, expected: string): Promise<Buffer> => {
  const { handle, size } = await openRegular(path)
  try {
    if (size > most) throw new ExportError({ reason: { _tag: "Unreadable", path, expected } })
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Largest manifest that is read, in bytes: far more than any run writes. */
const mostBytes = 16 * 1_048_576

const expected = "a manifest of an export"

/**
 * The manifest in a file. Fails with `FileMissing`, `FileFailed`, or `Unreadable` for a file that is not a manifest. Only the
 * members that `isManifest` checks are known to exist.
 */
const readManifest = (path: string): Effect.Effect<Manifest, ExportError> =>
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
    catch: fileFailure("read", path),
  })

const bytesOf = (manifest: Manifest): Uint8Array =>
  new TextEncoder().encode(`${WellFormed.stringify(manifest as unknown as Json.Json, 2).json}\n`)

/** Writes a manifest in place of an older one. */
export const writeManifest = (path: string, manifest: Manifest): Effect.Effect<void, ExportError> =>
  AtomicFile.writeWhole(path, bytesOf(manifest))

/** The state of a file since its export. */
export interface FileCheck {
  readonly path: string
  /** `elsewhere`: it was written to a pipe or another folder, and was not checked. */
  readonly state: "matches" | "differs" | "missing" | "elsewhere"
  /** Actual length; null if there is no file. */
  readonly bytes: number | null
  readonly expectedBytes: number
}

/** Whether a name belongs to a file beside the manifest: not to standard output, and not to a file outside the folder. */
const isHere = (name: string): boolean =>
  name === basename(name) && !["", "-", ".", ".."].includes(name) && !name.includes("\0")

const orNull = (cause: NodeJS.ErrnoException): null => {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null
  throw cause
}

const contentOf = (path: string): Effect.Effect<Omit<ManifestSidecar, "name"> | null, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      const opened = await openRegular(path).catch(orNull)
      if (opened === null) return null
      const { handle, size } = opened
      const hash = createHash("sha256")
      try {
        await pipeline(handle.createReadStream({ autoClose: false }), hash)
      } finally {
        await handle.close()
      }
      return { bytes: size, sha256: hash.digest("hex") }
    },
    catch: fileFailure("read", path),
  })

const check = (
  path: string,
  allowed: ReadonlyArray<ManifestSidecar>,
): Effect.Effect<FileCheck, ExportError> =>
  Effect.map(contentOf(path), (content) => {
    const expectedBytes = allowed[0]?.bytes ?? 0
    if (content === null) return { path, state: "missing", bytes: null, expectedBytes }
    const isSame = allowed.some(({ bytes, sha256 }) => bytes === content.bytes && sha256 === content.sha256)
    return { path, state: isSame ? "matches" : "differs", bytes: content.bytes, expectedBytes }
  })

/** Checks all files that a manifest names, each name once: two formats can have files of the same name in two folders. */
const checkAll = (
  manifestPath: string,
  { files }: Pick<Manifest, "files">,
): Effect.Effect<ReadonlyArray<FileCheck>, ExportError> =>
  Effect.forEach([...new Set(files.map(({ name }) => name))], (name) => {
    const allowed = files.filter((file) => file.name === name)
    const elsewhere = {
      path: name,
      state: "elsewhere",
      bytes: null,
      expectedBytes: allowed[0]?.bytes ?? 0,
    } as const
    return isHere(name) ? check(join(dirname(manifestPath), name), allowed) : Effect.succeed(elsewhere)
  })

/** Checks one file, by its name in the manifest or by its bytes. Fails with `Unreadable` if the manifest may not be about this file at all. */
const checkOne = Effect.fnUntraced(function* (
  path: string,
  manifestPath: string,
  { files }: Pick<Manifest, "files">,
) {
  const named = files.filter(({ name }) => name === basename(path))
  const found = yield* check(path, named.length > 0 ? named : files)
  if (named.length > 0 || found.state === "matches" || files.length === 1) return found
  if (found.state === "missing") return yield* new ExportError({ reason: { _tag: "FileMissing", path } })
  const expected = `a manifest that names ${basename(path)}, or a file with its bytes,`
  return yield* new ExportError({ reason: { _tag: "Unreadable", path: manifestPath, expected } })
})

const isSidecar = (file: unknown): file is ManifestSidecar =>
  Json.isObject(file) &&
  typeof file["name"] === "string" &&
  isHere(file["name"]) &&
  typeof file["bytes"] === "number" &&
  typeof file["sha256"] === "string"

/**
 * Checks the files of rejected records and long texts that the manifest describes. They are beside one file of a run, so they count as
 * missing only for the manifest of that file.
 */
const checkSidecars = (
  manifestPath: string,
  { longTexts, rejected }: Pick<Manifest, "longTexts" | "rejected">,
): Effect.Effect<ReadonlyArray<FileCheck>, ExportError> =>
  Effect.forEach(
    // The content of a file is untyped.
    ([rejected, longTexts] as ReadonlyArray<unknown>).filter(isSidecar),
    (file) =>
      Effect.map(check(join(dirname(manifestPath), file.name), [file]), (found) => {
        const owner = basename(manifestPath).replace(/\.manifest\.json$/, "")
        const isOwn = file.name.startsWith(`${owner}.`)
        return found.state === "missing" && !isOwn ? { ...found, state: "elsewhere" as const } : found
      }),
  )

export interface VerifyOptions {
  /** The manifest. Default: the one beside the file. */
  readonly manifest?: string | undefined
}

export interface Verification {
  readonly path: string
  /** Only the members that `Manifest.isManifest` checks are known to exist. */
  readonly manifest: Manifest
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
      const beside = pathOf(path)
      const isLink = (await lstat(path).catch(orNull))?.isSymbolicLink() === true
      if (!isLink || (await lstat(beside).catch(orNull)) !== null) return { path, manifestPath: beside }
      const real = await realpath(path)
      return { path: real, manifestPath: pathOf(real) }
    },
    catch: fileFailure("read", path),
  })

/**
 * Checks a file or, given the path of a manifest, all of its files. A renamed file is recognized by its bytes. Fails with `FileMissing` if there is
 * no manifest, and with `Unreadable` if it is not a manifest, names no such file, or a file is not a regular file.
 */
export const verify = Effect.fnUntraced(function* (
  given: string,
  { manifest: manifestGiven }: VerifyOptions = {},
): Effect.fn.Return<Verification, ExportError> {
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
