/**
 * Waits for sources that change. Each folder has a watcher of its own: Node's recursive one loses a file that an editor replaces by renaming
 * another one.
 */
import { EventEmitter, once } from "node:events"
import { readdirSync, watch as watchFolder } from "node:fs"
import type { FSWatcher } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

export interface Changes {
  /** What has changed since the last call, once there is something and no more comes. Rejects when the signal is aborted. */
  readonly next: () => Promise<ReadonlyArray<string>>
}

/** Editors write several files at once, and some of them more than once. */
const quietMillis = 100

const isSource = (path: string): boolean => /\.(?:tsx?|css|html|json|png)$/.test(path)

const foldersIn = (root: string): ReadonlyArray<string> => [
  root,
  ...readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name, parentPath }) => join(parentPath, name)),
]

/** Watches folders and all that are in them, later ones included. */
export const watch = (roots: ReadonlyArray<string>, signal: AbortSignal): Changes => {
  const events = new EventEmitter()
  const changed = new Set<string>()
  const watchers = new Map<string, FSWatcher>()
  /** Watches the folders that there are now, and gives those that are new. */
  const follow = (): ReadonlyArray<string> => {
    const folders = new Set(roots.flatMap(foldersIn))
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    const added = [...folders].filter((folder) => !watchers.has(folder))
    for (const folder of added) {
      const watcher = watchFolder(folder, { signal }, (_, name) => {
        changed.add(join(folder, name ?? ""))
        events.emit("changed")
      })
      watchers.set(folder, watcher)
    }
    return added
  }
  follow()
  return {
    next: async () => {
      for (;;) {
        if (changed.size === 0) await once(events, "changed", { signal })
        for (let seen = 0; seen !== changed.size; await wait(quietMillis, undefined, { signal })) {
          seen = changed.size
        }
        const sources = [...changed].filter(isSource)
        changed.clear()
        const found = [...sources, ...follow()]
        if (found.length > 0) return found
      }
    },
  }
}
