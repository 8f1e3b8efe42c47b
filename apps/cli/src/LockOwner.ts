/**
 * Who holds a lock: a process, under a name that no other process and no other moment has, and whether that process is gone.
 *
 * A process id alone is not enough, because systems use ids again. Where Linux tells when a process began, that is part of the name.
 */
import { createHash, randomBytes } from "node:crypto"
import { readFile, readlink } from "node:fs/promises"
import { hostname } from "node:os"

/** Where process ids mean the same: one machine since its start, and one container of it. */
const findPlace = async (): Promise<string> => {
  const parts = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ])
  return createHash("sha256")
    .update([hostname(), ...parts].join("\n"))
    .digest("hex")
    .slice(0, 12)
}

let place: Promise<string> | null = null

/** When a process began, in ticks of its machine, and whether it has ended and only waits for its parent; null where that is not told. */
const statusOf = async (
  pid: number,
): Promise<{ readonly began: string; readonly hasEnded: boolean } | null> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null)
  if (text === null) return null
  // The name of the program, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const began = fields[19]
  return began === undefined ? null : { began, hasEnded: /^[ZXx]$/.test(fields[0] ?? "") }
}

const unknown = "0"

/** A new name for this process. */
export const make = async (): Promise<string> => {
  place ??= findPlace()
  const began = (await statusOf(process.pid))?.began ?? unknown
  return `${await place}-${process.pid}-${began}-${randomBytes(8).toString("hex")}`
}

interface Parts {
  readonly place: string
  readonly pid: number
  readonly began: string
}

const parse = (name: string): Parts | null => {
  const [, place, pid, began] = /^([0-9a-f]{12})-(\d+)-(\d+)-[0-9a-f]{16}$/.exec(name) ?? []
  return place === undefined || pid === undefined || began === undefined
    ? null
    : { place, pid: Number(pid), began }
}

/** The process of a name; null for what is no such name. */
export const pidOf = (name: string): number | null => parse(name)?.pid ?? null

/** Whether the process of a name is certainly gone. Of other machines and containers nothing is certain. */
export const isGone = async (name: string): Promise<boolean> => {
  const owner = parse(name)
  place ??= findPlace()
  if (owner === null || owner.place !== (await place)) return false
  try {
    process.kill(owner.pid, 0)
  } catch (cause) {
    // Any other code means that it is there and somebody else's.
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return true
  }
  const status = owner.began === unknown ? null : await statusOf(owner.pid)
  return status !== null && (status.hasEnded || status.began !== owner.began)
}
