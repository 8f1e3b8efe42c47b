/** Checks files against their manifest, by length and SHA-256. A renamed file is recognized by its bytes. */
import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import { ExportError } from "../error/ExportError.ts"
import type { Manifest, ManifestSidecar } from "../proof/Manifest.ts"
import { fileFailure } from "../file/fileFailure.ts"
import { openRegular } from "../file/regularFile.ts"

/** The state of a file since its export. */
export interface FileCheck {
  readonly path: string
  /** `elsewhere`: it was written to a pipe or another folder, and was not checked. */
  readonly state: "matches" | "differs" | "missing" | "elsewhere"
  /** Actual length; null if there is no file. */
  readonly bytes: number | null
  readonly expectedBytes: number
}

type Expected = ManifestSidecar

/** Whether a name belongs to a file beside the manifest: not to standard output, and not to a file outside the folder. */
export const isHere = (name: string): boolean =>
  name === basename(name) && !["", "-", ".", ".."].includes(name) && !name.includes("\0")

/** Turns a missing file into null. */
export const orNull = (cause: NodeJS.ErrnoException): null => {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null
  throw cause
}

/** The error of a step that read a file. */
export const readFailure = (path: string) => (cause: unknown) =>
  cause instanceof ExportError ? cause : fileFailure("read", path)(cause)

/** The length and hash of a file; null if it does not exist. */
const contentOf = (path: string): Effect.Effect<Omit<Expected, "name"> | null, ExportError> =>
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
    catch: readFailure(path),
  })

/** Checks a file against several allowed contents. */
const check = (path: string, allowed: ReadonlyArray<Expected>): Effect.Effect<FileCheck, ExportError> =>
  Effect.map(contentOf(path), (content) => {
    const expectedBytes = allowed[0]?.bytes ?? 0
    if (content === null) return { path, state: "missing", bytes: null, expectedBytes }
    const isSame = allowed.some(({ bytes, sha256 }) => bytes === content.bytes && sha256 === content.sha256)
    return { path, state: isSame ? "matches" : "differs", bytes: content.bytes, expectedBytes }
  })

/** Checks all files that a manifest names, each name once: two formats can have files of the same name in two folders. */
export const checkAll = (
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
export const checkOne = (
  path: string,
  manifestPath: string,
  { files }: Pick<Manifest, "files">,
): Effect.Effect<FileCheck, ExportError> =>
  Effect.gen(function* () {
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
export const checkSidecars = (
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
