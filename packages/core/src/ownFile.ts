/**
 * Files at paths at which another user of the machine may have put something else: a link that leads to a file of this user, a file whose owner reads
 * what is written to it, or a pipe that never ends.
 *
 * Somebody else's entry is suspect in a folder that every user may write, and somebody else's link also in a folder that is not this user's or root's.
 * In a folder that every user may write, so is a file with a second name. Everything is judged after links are resolved. Windows has no such owners,
 * and gives each user folders of their own: there only the kind of a file is checked.
 */
import type { Stats } from "node:fs"
import { randomBytes } from "node:crypto"
import { constants, openSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { lstat, mkdir, open as openFile, readFile, readlink, rm, stat } from "node:fs/promises"
import { Socket } from "node:net"
import { basename, dirname, join, resolve } from "node:path"

/** What is wrong with an entry. */
const problems = {
  link: "is a link of another user, which is not followed",
  owner: "belongs to another user, in a folder that every user may write",
  names: "has a second name (a hard link), in a folder that every user may write",
  kind: "is not a regular file",
}

/** The error of an entry that is not used. `problem` is the rest of a sentence that begins with the path. */
export class NotOwn extends Error {
  readonly code = "NOT_OWN"
  readonly path: string
  readonly problem: string
  constructor(path: string, problem: keyof typeof problems) {
    super(`${path} ${problems[problem]}`)
    this.path = path
    this.problem = problems[problem]
  }
}

const absent = (cause: NodeJS.ErrnoException): null => {
  if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null
  throw cause
}

/** Undefined on Windows. */
const ownId = (): number | undefined => process.getuid?.()

const everybodyMayWrite = 0o002
const groupMayWrite = 0o020

/** The problem of an entry of the folder; null for one that is no surprise. `trusted` is another owner who is as good as this user. */
const problemOf = (
  entry: Stats,
  folder: Stats,
  trusted?: number,
): Exclude<keyof typeof problems, "kind"> | null => {
  const own = ownId()
  if (own === undefined) return null
  const isShared = (folder.mode & everybodyMayWrite) !== 0
  if (![own, 0, trusted].includes(entry.uid)) {
    if (entry.isSymbolicLink()) return isShared || ![own, 0].includes(folder.uid) ? "link" : null
    return isShared ? "owner" : null
  }
  return isShared && entry.isFile() && entry.nlink > 1 ? "names" : null
}

/** The owner of what this process makes in a folder, which is not this user on a share that maps owners, as NFS does with root. Undefined if nothing can be made. */
const ownerOfNew = async (folder: string): Promise<number | undefined> => {
  const path = join(folder, `.${randomBytes(8).toString("hex")}`)
  const handle = await openFile(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600).catch(
    () => null,
  )
  if (handle === null) return undefined
  try {
    return (await handle.stat()).uid
  } finally {
    await handle.close().catch(() => {})
    await rm(path, { force: true }).catch(() => {})
  }
}

/** The problem of an entry at a path: another user's is as good as this user's where all that this user makes is that user's. */
const problemAt = async (path: string, entry: Stats, trusted?: number) => {
  const folder = await stat(dirname(path))
  const problem = problemOf(entry, folder, trusted)
  return problem === "owner" ? problemOf(entry, folder, await ownerOfNew(dirname(path))) : problem
}

/** Most links that lead to one file, as in Linux. */
const mostLinks = 40

/**
 * Where a path leads. The end of the path need not exist. Fails with `NotOwn` for a link that another user may have put there.
 */
export const pathOf = async (path: string): Promise<string> => {
  let links = 0
  const walk = async (given: string): Promise<string> => {
    const above = dirname(given)
    if (above === given) return given
    const real = join(await walk(above), basename(given))
    const entry = await lstat(real).catch(absent)
    if (entry === null || !entry.isSymbolicLink()) return real
    links += 1
    if (links > mostLinks) throw Object.assign(new Error(`Too many links: ${path}`), { code: "ELOOP" })
    if (problemOf(entry, await stat(dirname(real))) !== null) throw new NotOwn(real, "link")
    return walk(resolve(dirname(real), await readlink(real)))
  }
  return walk(resolve(path))
}

const requireFile = (path: string, entry: Stats): void => {
  // The platform's own error, which everybody knows.
  if (entry.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR" })
  if (!entry.isFile()) throw new NotOwn(path, "kind")
}

/** Whether a file is a mount point itself: a rename cannot replace it. Known on Linux only. */
export const isMounted = async (path: string): Promise<boolean> => {
  const mounts = await readFile("/proc/self/mountinfo", "utf8").catch(() => "")
  return mounts.split("\n").some((line) => {
    const point = line.split(" ")[4]
    return (
      point?.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))) === path
    )
  })
}

/**
 * Gives a new file the owner and the group of the file that it replaces, as far as this user may, so that it keeps its readers. Returns the
 * permission bits of that file, without those of a group that could not be given, and never writable by everybody. Null if there is none, or if
 * another user may have put it there, to own or to read what replaces it: in a folder that every user may write, and for a secret also in one that a
 * group may write, or that belongs to another user.
 */
export const keepOwner = async (
  file: FileHandle,
  replaced: string,
  isSecret = false,
): Promise<number | null> => {
  const [own, old, folder] = await Promise.all([
    file.stat(),
    lstat(replaced).catch(() => null),
    stat(dirname(replaced)),
  ])
  if (old === null || !old.isFile() || (folder.mode & everybodyMayWrite) !== 0) return null
  if (isSecret && ((folder.mode & groupMayWrite) !== 0 || ![ownId(), 0].includes(folder.uid))) return null
  // Only a file that this process has just made is given away.
  if (own.nlink !== 1 || own.uid !== (ownId() ?? own.uid)) return null
  if (old.uid !== own.uid || old.gid !== own.gid)
    await file.chown(old.uid, old.gid).catch(() => file.chown(own.uid, old.gid).catch(() => {}))
  const { gid } = await file.stat()
  return old.mode & (gid === old.gid ? 0o775 : 0o705)
}

/** Whether a path names a device or a descriptor: a name of `/dev` itself, where only root puts something, and not of a folder in it such as `/dev/shm`. */
export const isDevice = (path: string): boolean => /^\/dev\/(?:fd\/|pts\/)?[^/]+$/.test(path)

/**
 * Creates a folder and its missing parents. Not by Node's option `recursive`, which never ends below `/proc`, and gives a wrong code below a file system
 * that is mounted read-only. What root makes in a folder of another user is that user's: with sudo it can be a home folder.
 */
export const makeFolder = async (path: string, mode?: number): Promise<void> => {
  try {
    await makeOne(path, mode)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT" && dirname(path) !== path) {
      await makeFolder(dirname(path), mode)
      await makeOne(path, mode).catch(unlessFolder(path))
    } else await unlessFolder(path)(cause)
  }
}

const makeOne = async (path: string, mode: number | undefined): Promise<void> => {
  await mkdir(path, { mode })
  if (ownId() !== 0) return
  const { gid, uid } = await stat(dirname(path))
  if (uid === 0) return
  // Not by its path, in whose place that user can put something else.
  const folder = await openFile(path, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  await folder.chown(uid, gid).finally(() => folder.close())
}

/** Fails with the cause, unless the path is a folder: another process may have made it. */
const unlessFolder =
  (path: string) =>
  async (cause: unknown): Promise<void> => {
    const entry = await stat(path).catch(() => null)
    if (entry?.isDirectory() !== true) throw cause
  }

/** What a file system says of an operation that it does not have. The data is written all the same. EIO, ENOSPC and EDQUOT are never among them. */
const notOffered: { readonly [Step in "chmod" | "sync"]: ReadonlySet<unknown> } = {
  // SMB shares, vfat and exFAT have no modes. The file was created with its mode, so it never has a wider one.
  chmod: new Set(["EPERM", "EACCES", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]),
  sync: new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]),
}

/** Lets an operation go that the file system does not have, and fails with any other cause: for `catch`. */
export const ifOffered =
  (step: keyof typeof notOffered) =>
  (cause: NodeJS.ErrnoException): void => {
    if (!notOffered[step].has(cause.code)) throw cause
  }

export interface CheckOptions {
  /** The id of another user who may have put the file there. */
  readonly trusted?: number | undefined
  /** Whether only a regular file will do. Default `file`. */
  readonly kinds?: "file" | "all" | undefined
}

/**
 * Checks the entry at a path, which is not followed if it is a link. Fails with `NotOwn` for one that another user may have put there, and for one of
 * another kind.
 */
export const check = async (path: string, { kinds = "file", trusted }: CheckOptions = {}): Promise<void> => {
  const entry = await lstat(path).catch(absent)
  if (entry === null) return
  const problem = await problemAt(path, entry, trusted)
  if (problem !== null) throw new NotOwn(path, problem)
  if (kinds === "file") requireFile(path, entry)
}

/** Both are undefined on Windows. */
const nonBlocking = (constants.O_NONBLOCK as number | undefined) ?? 0
const safely = ((constants.O_NOFOLLOW as number | undefined) ?? 0) | nonBlocking

/**
 * Opens a regular file, and never waits for anything else. Fails with `NotOwn`, or as the platform fails. `flags` are those of `open`, such as
 * `O_RDWR | O_CREAT`.
 */
export const open = async (path: string, flags: number, mode?: number): Promise<FileHandle> => {
  const real = await pathOf(path)
  // First for the reason: the platform has other codes for some of these files.
  await check(real)
  const handle = await openFile(real, flags | safely, mode)
  try {
    // What was opened can be another one than what was checked.
    const entry = await handle.stat()
    const problem = await problemAt(real, entry)
    if (problem !== null) throw new NotOwn(real, problem)
    requireFile(real, entry)
    return handle
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

export interface ReadOptions {
  /** Most bytes. A longer file fails with `EFBIG`. */
  readonly most: number
  /** Whether a pipe will do, whose writers are then waited for. Default false. */
  readonly orPipe?: boolean | undefined
}

/** Reads a small file. Fails with `NotOwn`, or as the platform fails. */
export const read = async (path: string, { most, orPipe = false }: ReadOptions): Promise<Buffer> => {
  // Judged before the end of a link is looked at: another user's link may lead nowhere.
  const real = await pathOf(path)
  if (orPipe && (await stat(path)).isFIFO()) {
    await check(real, { kinds: "all" })
    return readAll(pipeAt(path), path, most)
  }
  const handle = await open(path, constants.O_RDONLY)
  try {
    return await readAll(handle.createReadStream({ autoClose: false, end: most }), path, most)
  } finally {
    await handle.close()
  }
}

/**
 * A pipe as a stream that waits for its writers without a thread: a thread that waits in a system call would keep the process from ending. The pipe
 * of a descriptor has no path of its own, so it is opened by the name that was given.
 */
const pipeAt = (path: string): Socket =>
  new Socket({ fd: openSync(path, constants.O_RDONLY | nonBlocking), readable: true, writable: false })

/** Destroys the stream when it has read too much. */
const readAll = async (stream: AsyncIterable<unknown>, path: string, most: number): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  let length = 0
  for await (const part of stream) {
    parts.push(part as Buffer)
    length += (part as Buffer).byteLength
    if (length > most) throw Object.assign(new Error(`More than ${most} bytes: ${path}`), { code: "EFBIG" })
  }
  return Buffer.concat(parts)
}
