/**
 * Small private files of this program: read completely, and written completely or not at all, with mode 0600 in a folder of mode 0700. A symbolic
 * link is kept, for settings that are stored elsewhere.
 */
import { constants } from "node:fs"
import { dirname } from "node:path"
import * as OwnFile from "@deedkit/core/own-file"
import type { ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { codeOf, readOnlySettings, storeError } from "../failure/Failure.ts"
import * as TextFile from "./TextFile.ts"

export interface Contents {
  readonly text: string
  /** Whether the mode lets other users read it; always false on systems without file modes. */
  readonly othersMayRead: boolean
}

const mostBytes = 1_048_576

const failed = (path: string, what: "read" | "written", code: string): Failure =>
  storeError({
    kind: "failed",
    path,
    problem: `The file ${path} could not be ${what} (${code})`,
    advice:
      code === "EROFS"
        ? readOnlySettings
        : code === "EBUSY"
          ? "It is mounted by itself, so it cannot be replaced: mount its folder instead."
          : `Check the file and its folder: they must be your own, and ${what === "read" ? "readable" : "writable"}.${code === "EACCES" && process.getuid !== undefined ? ` After a run with sudo they can be root's: \`sudo chown -R "$(id -un)" '${dirname(path).replaceAll("'", "'\\''")}'\` gives them back.` : ""}`,
  })

const load = async (path: string): Promise<Contents | null> => {
  const handle = await OwnFile.open(path, constants.O_RDONLY).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return null
    throw cause
  })
  if (handle === null) return null
  try {
    const { mode, size } = await handle.stat()
    if (size > mostBytes) throw Object.assign(new Error(), { code: "EFBIG" })
    const text = TextFile.decode(await handle.readFile())
    return { text, othersMayRead: process.platform !== "win32" && (mode & 0o077) !== 0 }
  } finally {
    await handle.close()
  }
}

/** The whole file; null when there is none. */
export const read = (path: string): Effect.Effect<Contents | null, Failure> =>
  Effect.tryPromise({ try: () => load(path), catch: (cause) => failed(path, "read", codeOf(cause)) })

/** What is loaded only to change a file. */
const files = Effect.promise(async () => (await import("@deedkit/export/run")).AtomicFile)

const follow = (path: string) =>
  Effect.tryPromise({
    try: () => OwnFile.pathOf(path),
    catch: (cause) => failed(path, "written", codeOf(cause)),
  })

const notWritten =
  (path: string) =>
  ({ reason }: ExportError.ExportError): Failure =>
    failed(
      path,
      "written",
      reason._tag === "TargetMounted" ? "EBUSY" : (("code" in reason ? reason.code : null) ?? reason._tag),
    )

/** Replaces the file. A process that reads at the same time finds the old file or the new one. */
export const write = (path: string, text: string): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const AtomicFile = yield* files
    yield* Effect.tryPromise({
      try: () => OwnFile.makeFolder(dirname(path), 0o700),
      catch: (cause) => failed(path, "written", codeOf(cause)),
    })
    const real = yield* follow(path)
    // The parts of killed processes, which can hold a key.
    yield* AtomicFile.sweep(real)
    yield* Effect.mapError(
      AtomicFile.writeWhole(real, new TextEncoder().encode(text), 0o600),
      notWritten(path),
    )
  }).pipe(Effect.uninterruptible)

/** Removes the file, following a symbolic link. It is not an error if there is none. */
export const remove = (path: string): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const AtomicFile = yield* files
    const real = yield* follow(path)
    yield* Effect.mapError(AtomicFile.remove(real), notWritten(path))
    yield* AtomicFile.sweep(real)
  }).pipe(Effect.uninterruptible)
