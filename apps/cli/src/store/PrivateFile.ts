/**
 * Small private files of this program: read completely, and written completely or not at all, with mode 0600 in a folder of mode 0700. A symbolic
 * link is kept, for settings that are stored elsewhere.
 */
import { randomBytes } from "node:crypto"
import { mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

export interface Contents {
  readonly text: string
  /** Whether the mode lets other users read it; always false on systems without file modes. */
  readonly othersMayRead: boolean
}

const mostBytes = 1_048_576

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? "no code"

const failed =
  (path: string, what: "read" | "written") =>
  (cause: unknown): Failure =>
    storeError({
      kind: "failed",
      path,
      problem: `The file ${path} could not be ${what} (${codeOf(cause)})`,
      advice: `Check the file and its folder: they must be your own, and ${what === "read" ? "readable" : "writable"}.`,
    })

const load = async (path: string): Promise<Contents | null> => {
  const handle = await open(path, "r").catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return null
    throw cause
  })
  if (handle === null) return null
  try {
    const { mode, size } = await handle.stat()
    if (size > mostBytes) throw Object.assign(new Error(), { code: "EFBIG" })
    const text = await handle.readFile("utf8")
    return { text, othersMayRead: process.platform !== "win32" && (mode & 0o077) !== 0 }
  } finally {
    await handle.close()
  }
}

/** Removes the temporary files of killed processes, which can hold a key. */
const sweep = async (path: string): Promise<void> => {
  const start = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    if (name.startsWith(start) && /^\d+-[0-9a-f]{8}\.part$/.test(name.slice(start.length))) {
      await rm(join(dirname(path), name), { force: true })
    }
  }
}

/** Renames, with retries: Windows refuses while another program reads the old file, usually only for a moment. */
const replace = async (part: string, path: string): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rename(part, path)
    } catch (cause) {
      const isHeld = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(codeOf(cause))
      if (!isHeld || tries === 20) throw cause
      await setTimeout(50)
    }
  }
}

const store = async (link: string, text: string): Promise<void> => {
  await mkdir(dirname(link), { recursive: true, mode: 0o700 })
  const path = await realpath(link).catch(() => link)
  await sweep(path)
  const part = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.part`
  try {
    const handle = await open(part, "wx", 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await replace(part, path)
  } catch (cause) {
    await rm(part, { force: true })
    throw cause
  }
}

/** The whole file; null when there is none. */
export const read = (path: string): Effect.Effect<Contents | null, Failure> =>
  Effect.tryPromise({ try: () => load(path), catch: failed(path, "read") })

/**
 * Replaces the file. A process that reads at the same time finds the old file or the new one. Only one process may write at a time: temporary files
 * of other processes are removed.
 */
export const write = (path: string, text: string): Effect.Effect<void, Failure> =>
  Effect.uninterruptible(Effect.tryPromise({ try: () => store(path, text), catch: failed(path, "written") }))

/** Removes the file, following a symbolic link. It is not an error if there is none. Only one process may do so at a time. */
export const remove = (path: string): Effect.Effect<void, Failure> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: async () => {
        const real = await realpath(path).catch(() => path)
        await rm(real, { force: true })
        await sweep(real)
      },
      catch: failed(path, "written"),
    }),
  )
