/** Reads regular files only, and never waits: a named pipe in place of a file could block its reader indefinitely. */
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { ExportError } from "../error/ExportError.ts"

/** Opens a regular file. Fails with `Unreadable` for anything else, and with the platform's error if nothing exists at the path. */
export const openRegular = async (
  path: string,
): Promise<{ readonly handle: FileHandle; readonly size: number }> => {
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
export const readRegular = async (path: string, most: number, expected: string): Promise<Buffer> => {
  const { handle, size } = await openRegular(path)
  try {
    if (size > most) throw new ExportError({ reason: { _tag: "Unreadable", path, expected } })
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
