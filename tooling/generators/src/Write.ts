/** Writes texts below a folder: all of them, or none. New files never replace existing ones, and the previous state is restored if a write fails. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Changes } from "./plan/Plan.ts"

/** Throws the system's error after restoring everything. */
export const write = (root: string, { changed, made }: Omit<Changes, "next">): void => {
  const undo: Array<() => void> = []
  try {
    for (const [path, text] of Object.entries(made)) {
      const folder = mkdirSync(dirname(join(root, path)), { recursive: true })
      if (folder !== undefined) undo.push(() => rmSync(folder, { recursive: true, force: true }))
      writeFileSync(join(root, path), text, { flag: "wx" })
      undo.push(() => rmSync(join(root, path), { force: true }))
    }
    for (const [path, text] of Object.entries(changed)) {
      const before = readFileSync(join(root, path))
      undo.push(() => writeFileSync(join(root, path), before))
      writeFileSync(join(root, path), text)
    }
  } catch (error) {
    for (const step of undo.toReversed()) step()
    throw error
  }
}
