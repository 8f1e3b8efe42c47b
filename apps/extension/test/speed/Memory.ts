/** The memory of the process that the extension's pages and workers run in, as Linux tells it. */
import { readdir, readFile } from "node:fs/promises"

const everyMillis = 20

/** Chromium gives extensions a process of their own, and marks it. */
const mark = "--extension-process"

const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")

const parentOf = async (pid: number): Promise<number> =>
  Number(/^PPid:\s+(\d+)/m.exec(await read(`/proc/${pid}/status`))?.[1] ?? 0)

const isBelow = async (pid: number, ancestor: number): Promise<boolean> => {
  for (let at = pid; at > 1; at = await parentOf(at)) if (at === ancestor) return true
  return false
}

/** The processes of extensions in browsers that this program has started. */
const processes = async (): Promise<ReadonlyArray<number>> => {
  const found: Array<number> = []
  for (const pid of (await readdir("/proc").catch(() => [])).map(Number).filter(Boolean)) {
    const isExtension = (await read(`/proc/${pid}/cmdline`)).includes(mark)
    if (isExtension && (await isBelow(pid, process.pid))) found.push(pid)
  }
  return found
}

/** The private memory, as Chromium's own task manager shows it: without the files of the browser that all of its processes share. */
const megabytesOf = async (pid: number): Promise<number> => {
  const status = await read(`/proc/${pid}/status`)
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0)
  return (kilobytes("RssAnon") + kilobytes("VmSwap")) / 1_024
}

export interface Use {
  /** In MB, before something is done. */
  readonly before: number
  /** The most meanwhile. */
  readonly most: number
}

/** Does something; gives the memory that was in use, or null where no system tells. */
export const during = async (act: () => Promise<void>): Promise<Use | null> => {
  const pids = await processes()
  const before = Math.max(0, ...(await Promise.all(pids.map(megabytesOf))))
  let most = 0
  const look = async (): Promise<void> => {
    const sizes = await Promise.all(pids.map(megabytesOf))
    most = Math.max(most, ...sizes)
  }
  const looking = setInterval(() => void look(), everyMillis)
  try {
    await act()
    await look()
  } finally {
    clearInterval(looking)
  }
  return most === 0 ? null : { before, most }
}
