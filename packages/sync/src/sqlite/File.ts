/**
 * Prepares a file before SQLite opens it: whether it exists, and its permissions.
 *
 * `node:sqlite` is loaded when a file is opened, so that a program without such a file runs on Node versions without it.
 */
import { open as openFile, stat } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { SyncError } from "../mirror/SyncError.ts"
import { syncError } from "../mirror/SyncError.ts"

/** The first Node version whose `node:sqlite` needs no flag. */
const neededNode = "22.13"

export const load = Effect.tryPromise({
  try: () => import("node:sqlite"),
  catch: () => syncError({ _tag: "SqliteMissing", node: process.versions.node, needed: neededNode }),
})

const unopenable =
  (path: string) =>
  (cause: unknown): SyncError => {
    const code = (cause as NodeJS.ErrnoException).code ?? "no code"
    return syncError(
      code === "ENOENT" ? { _tag: "MirrorMissing", path } : { _tag: "MirrorUnopenable", path, code },
    )
  }

/** Checks the file before SQLite opens it, and creates it if that is allowed: readable by its owner only, because it holds personal data. */
export const prepare = (path: string, isReadOnly: boolean): Effect.Effect<void, SyncError> =>
  Effect.tryPromise({
    try: async () => {
      try {
        const file = await stat(path)
        if (!file.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" })
      } catch (cause) {
        if (isReadOnly || (cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
        const made = await openFile(path, "a", 0o600)
        await made.close()
      }
    },
    catch: (cause) => {
      const error = unopenable(path)(cause)
      // If the file may be created, only its folder can be missing.
      return error.reason._tag === "MirrorMissing" && !isReadOnly
        ? syncError({ _tag: "MirrorUnopenable", path, code: "ENOENT" })
        : error
    },
  })
