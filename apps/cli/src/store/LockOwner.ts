/**
 * The owner of a lock: a process, under a unique name that is never used again, and whether that process is gone.
 *
 * A process id alone is not enough, because systems reuse ids and every container has its own. If Linux provides them, the ids of the machine, its
 * boot and the container, and the start time of the process, are part of the name.
 */
import { createHash, randomBytes } from "node:crypto"
import { readFile, readlink } from "node:fs/promises"
import { hostname } from "node:os"

const unknown = "0"

const digest = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12)

const read = async (path: string): Promise<string> => (await readFile(path, "utf8").catch(() => "")).trim()

/** The scope in which a process id is unique: one machine, since its last boot, in one container. A part is `unknown` if the system does not provide it. */
interface Place {
  readonly host: string
  readonly machine: string
  readonly boot: string
  readonly container: string
}

const findPlace = async (): Promise<Place> => {
  const hashed = (text: string): string => (text === "" ? unknown : digest(text))
  return {
    host: digest(hostname()),
    machine: hashed(await read("/etc/machine-id")),
    boot: hashed(await read("/proc/sys/kernel/random/boot_id")),
    container: hashed(await readlink("/proc/self/ns/pid").catch(() => "")),
  }
}

let here: Promise<Place> | null = null

/** When a process began, in clock ticks of its machine, and whether it has ended and only waits for its parent; null if unknown. */
const statusOf = async (
  pid: number,
): Promise<{ readonly began: string; readonly hasEnded: boolean } | null> => {
  const text = await read(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, can contain any character.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const began = fields[19]
  return began === undefined ? null : { began, hasEnded: /^[ZXx]$/.test(fields[0] ?? "") }
}

/** A new name for this process. */
export const make = async (): Promise<string> => {
  here ??= findPlace()
  const { boot, container, host, machine } = await here
  const began = (await statusOf(process.pid))?.began ?? unknown
  return [host, machine, boot, container, process.pid, began, randomBytes(8).toString("hex")].join("-")
}

interface Owner extends Place {
  readonly pid: number
  readonly began: string
}

const parse = (name: string): Owner | null => {
  const [host, machine, boot, container, pid, began, random, ...more] = name.split("-")
  return host === undefined ||
    machine === undefined ||
    boot === undefined ||
    container === undefined ||
    pid === undefined ||
    began === undefined ||
    random === undefined ||
    more.length > 0 ||
    !/^[1-9]\d*$/.test(pid)
    ? null
    : { host, machine, boot, container, pid: Number(pid), began }
}

/** The process id in an owner's name; null if it is not such a name. */
export const pidOf = (name: string): number | null => parse(name)?.pid ?? null

/** Whether the process of a name is certainly gone. For other machines and containers nothing is certain. */
export const isGone = async (name: string): Promise<boolean> => {
  const owner = parse(name)
  here ??= findPlace()
  const { boot, container, host, machine } = await here
  if (owner === null || owner.host !== host || owner.machine !== machine) return false
  // No process survives a reboot. Without a machine id, another boot could also be another machine with the same host name.
  if (owner.boot !== boot) return machine !== unknown
  if (owner.container !== container) return false
  try {
    process.kill(owner.pid, 0)
  } catch (cause) {
    // Any other code means that the process exists and belongs to another user.
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return true
  }
  const status = owner.began === unknown ? null : await statusOf(owner.pid)
  return status !== null && (status.hasEnded || status.began !== owner.began)
}
