/**
 * Files before SQLite touches them: whether there is one, and its permissions.
 *
 * `node:sqlite` is loaded when a file is opened, so that a program that has none runs on Nodes without it.
 */
import { open as openFile, stat } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { SyncError } from "../mirror/SyncError.ts"
import { syncError } from "../mirror/SyncError.ts"

/** The first Node whose `node:sqlite` needs no flag. */
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

/** Checks the file before SQLite touches it, and makes it where it may: readable by its owner only, because it holds personal data. */
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
      // Where it may be made, only its folder can be missing.
      return error.reason._tag === "MirrorMissing" && !isReadOnly
        ? syncError({ _tag: "MirrorUnopenable", path, code: "ENOENT" })
        : error
    },
  })
