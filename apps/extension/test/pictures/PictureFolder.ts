/**
 * Where pictures are written: all of them into `pictures`, which is not part of the repository, in a folder for each look. Those that `docs` has
 * are replaced there, too.
 */
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

export type Look = "light" | "dark"

/** Size of a picture in bytes at most. */
const mostBytes = 60_000

const root = join(import.meta.dirname, "..", "..")
const folder = process.env["DEEDKIT_PICTURES"] ?? join(root, "pictures")

/** Writes a picture. The process fails at its end when one is too large. */
export const keep = async (name: string, look: Look, picture: Uint8Array): Promise<void> => {
  await mkdir(join(folder, look), { recursive: true })
  await writeFile(join(folder, look, `${name}.png`), picture)
  const inDocs = join(root, "docs", look, `${name}.png`)
  if (existsSync(inDocs)) await writeFile(inDocs, picture)
  const isTooLarge = picture.byteLength > mostBytes
  if (isTooLarge) process.exitCode = 1
  console.log(
    `${look}/${name}.png ${Math.ceil(picture.byteLength / 1_000)} kB${isTooLarge ? ": too large" : ""}`,
  )
}
