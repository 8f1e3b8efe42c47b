/** A disk of a few kilobytes, where the system lets a test have one. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmdirSync } from "node:fs"
import { mkdtemp, rmdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

const mount = (path: string, options: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status === 0

const unmount = (path: string): boolean => spawnSync("umount", [path]).status === 0

const isAllowed = (): boolean => {
  const path = mkdtempSync(join(tmpdir(), "deedkit-disk-"))
  const mounted = mount(path, "size=4k")
  if (mounted) unmount(path)
  rmdirSync(path)
  return mounted
}

/** Whether disks can be had; their tests are reported as skipped where they cannot. */
export const hasSmallDisks = isAllowed()
if (!hasSmallDisks) console.warn("SKIPPED: this user may mount no disk, so nothing is written to a full one.")

/** A disk of so many kilobytes. It is gone when the scope closes. */
export const smallDisk = (kilobytes: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const path = await mkdtemp(join(tmpdir(), "deedkit-disk-"))
      if (!mount(path, `size=${kilobytes}k`)) throw new Error("the disk could not be mounted")
      return path
    }),
    (path) =>
      Effect.promise(async () => {
        unmount(path)
        await rmdir(path)
      }),
  )

/** Gives a disk more room. */
export const enlarge = (path: string, kilobytes: number) =>
  Effect.sync(() => mount(path, `remount,size=${kilobytes}k`))
