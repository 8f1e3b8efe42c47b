import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { constants } from "node:fs"
import {
  chmod,
  chown,
  lchown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it as test } from "vitest"
import * as OwnFile from "../src/ownFile.ts"

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("SKIPPED: only root can try files of other users.")

const somebody = 65_534

const it = test.extend("folder", async ({}, { onCleanup }) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "deedkit-own-")))
  onCleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
})

const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (cause: unknown) => (cause instanceof OwnFile.NotOwn ? cause.problem : cause),
  )
const opening = async (path: string): Promise<unknown> =>
  problemOf(OwnFile.open(path, constants.O_RDWR | constants.O_CREAT, 0o600).then((handle) => handle.close()))
const reading = (path: string): Promise<unknown> => problemOf(OwnFile.read(path, { most: 100 }))

const kind = "is not a regular file"
const ofAnother = "belongs to another user, in a folder that every user may write"
const linked = "is a link of another user, which is not followed"
const twice = "has a second name (a hard link), in a folder that every user may write"

it("follows links of this user, also to files that do not exist yet", async ({ folder }) => {
  await mkdir(join(folder, "a/b"), { recursive: true })
  await symlink("a/b", join(folder, "folder"))
  await symlink("../../late.txt", join(folder, "a/b/link"))
  const late = join(folder, "late.txt")
  expect(await OwnFile.pathOf(join(folder, "folder/link"))).toBe(late)
  expect(await opening(join(folder, "folder/link"))).toBeNull()
  expect(await readFile(late, "utf8")).toBe("")
})

it("ends where links lead to each other", async ({ folder }) => {
  await symlink("b", join(folder, "a"))
  await symlink("a", join(folder, "b"))
  await expect(OwnFile.pathOf(join(folder, "a"))).rejects.toMatchObject({ code: "ELOOP" })
})

it("opens regular files only, and never waits", async ({ folder }) => {
  const pipe = join(folder, "pipe")
  execFileSync("mkfifo", [pipe])
  await symlink("pipe", join(folder, "to-pipe"))
  for (const path of [pipe, join(folder, "to-pipe"), "/dev/zero"]) {
    expect(await opening(path)).toBe(kind)
    expect(await reading(path)).toBe(kind)
  }
  expect(await reading(folder)).toMatchObject({ code: "EISDIR" })
})

it("makes a folder and its missing parents, also through a link, and twice at a time", async ({ folder }) => {
  await symlink(folder, join(folder, "link"))
  const path = join(folder, "link", "a", "b", "c")
  await Promise.all([OwnFile.makeFolder(path, 0o700), OwnFile.makeFolder(path, 0o700)])
  await OwnFile.makeFolder(path)
  for (const made of ["a", "a/b", "a/b/c"]) {
    expect((await stat(join(folder, made))).mode & 0o777).toBe(0o700)
  }
})

it.runIf(isRoot)("makes folders in a folder of another user that are that user's", async ({ folder }) => {
  await mkdir(join(folder, "home"))
  await chown(join(folder, "home"), somebody, 100)
  await OwnFile.makeFolder(join(folder, "home/.config/deedkit"), 0o700)
  await OwnFile.makeFolder(join(folder, "own/deedkit"), 0o700)
  for (const [path, uid, gid] of [
    ["home/.config", somebody, 100],
    ["home/.config/deedkit", somebody, 100],
    ["own/deedkit", 0, 0],
  ] as const)
    expect(await stat(join(folder, path))).toMatchObject({ uid, gid, mode: 0o40_700 })
})

it("makes no folder where a file is, or a link that leads nowhere", async ({ folder }) => {
  await writeFile(join(folder, "file"), "")
  await symlink(join(folder, "nowhere", "at", "all"), join(folder, "dangling"))
  const codeOf = (name: string) =>
    OwnFile.makeFolder(join(folder, name)).then(
      () => null,
      (cause: NodeJS.ErrnoException) => cause.code,
    )
  expect(await codeOf("file")).toBe("EEXIST")
  expect(await codeOf("file/inside")).toBe("ENOTDIR")
  expect(await codeOf("dangling")).toBe("EEXIST")
  expect(await codeOf("dangling/inside")).toBe("EEXIST")
})

it.runIf(process.platform === "linux")("ends where a file system makes no folders", async () => {
  await expect(OwnFile.makeFolder("/proc/none/such/folder")).rejects.toMatchObject({ code: "ENOENT" })
})

it("reads small files only", async ({ folder }) => {
  const path = join(folder, "file")
  for (const [length, outcome] of [
    [100, null],
    [101, expect.objectContaining({ code: "EFBIG" })],
  ] as const) {
    await writeFile(path, "x".repeat(length))
    expect(await reading(path)).toEqual(outcome)
  }
})

/** What a reader of files and pipes gets, or why it gets nothing. */
const content = (path: string): Promise<unknown> =>
  OwnFile.read(path, { most: 100, orPipe: true }).then(String, (cause: NodeJS.ErrnoException) =>
    cause instanceof OwnFile.NotOwn ? cause.problem : cause.code,
  )

it("reads a pipe where one will do, from its first writer to its last", async ({ folder }) => {
  const [pipe, to] = [join(folder, "pipe"), join(folder, "to-pipe")]
  execFileSync("mkfifo", [pipe])
  await symlink("pipe", to)
  for (const [text, expected] of [
    ["from a pipe", "from a pipe"],
    ["", ""],
    ["x".repeat(100), "x".repeat(100)],
    ["x".repeat(100_000), "EFBIG"],
  ] as const) {
    for (const path of [pipe, to]) {
      const read = content(path)
      const written = writeFile(pipe, text).catch((cause: unknown) => cause)
      expect(await read).toBe(expected)
      await written
    }
  }
  await writeFile(join(folder, "file"), "from a file")
  expect(await content(join(folder, "file"))).toBe("from a file")
  expect(await Promise.all(["/dev/zero", "/dev/null"].map(content))).toEqual([kind, kind])
  expect(await content(folder)).toBe("EISDIR")
})

/** A program that reads a file or a pipe. */
const reader = ["--input-type=module", "--eval"].concat(`
  const { read } = await import(${JSON.stringify(new URL("../src/ownFile.ts", import.meta.url).href)})
  read(process.argv[1], { most: 100, orPipe: true }).then(String, ({ code }) => code).then(console.log)
  process.on("SIGTERM", () => process.exit(143))
  // It says so where it has begun to wait.
  setTimeout(() => console.error("reading"), 200)`)

it("reads what a shell substitutes for a process, also when it has ended", async () => {
  const shell = promisify(execFile)
  for (const [source, expected] of [
    ["echo here", "here\n"],
    ["sleep 0.3; echo late", "late\n"],
    ["true", ""],
    ["yes", "EFBIG"],
  ] as const) {
    const script = `exec 3< <(${source}); sleep 0.1; "$@" /dev/fd/3`
    const { stdout } = await shell("bash", ["-c", script, "bash", process.execPath, ...reader])
    expect([source, stdout]).toEqual([source, `${expected}\n`])
  }
})

it("waits for a writer without keeping the process from ending", async ({ folder }) => {
  const pipe = join(folder, "pipe")
  execFileSync("mkfifo", [pipe])
  const child = spawn(process.execPath, [...reader, pipe], { stdio: ["ignore", "ignore", "pipe"] })
  const ended = once(child, "exit")
  await once(child.stderr, "data")
  child.kill("SIGTERM")
  expect(await ended).toEqual([143, null])
})

it("opens no file with a second name in a folder that every user may write", async ({ folder }) => {
  const [first, second] = [join(folder, "own"), join(folder, "shared/second")]
  await mkdir(join(folder, "shared"))
  await writeFile(first, "mine")
  await link(first, second)
  expect(await opening(second)).toBeNull()
  await chmod(join(folder, "shared"), 0o777)
  expect(await opening(second)).toBe(twice)
  expect(await opening(first)).toBeNull()
})

it.runIf(isRoot)(
  "takes nothing of another user from a folder that every user may write",
  async ({ folder }) => {
    const own = join(folder, "own")
    await writeFile(own, "mine")
    const shared = join(folder, "shared")
    await mkdir(shared)
    for (const mode of [0o777, 0o1777]) {
      await chmod(shared, mode)
      const [planted, linkOf, folderOf] = ["file", "link", "folder"].map((name) =>
        join(shared, `${name}${mode}`),
      )
      await writeFile(planted!, "planted", { mode: 0o666 })
      await chown(planted!, somebody, somebody)
      for (const [path, target] of [
        [linkOf!, own],
        [folderOf!, folder],
      ] as const) {
        await symlink(target, path)
        await lchown(path, somebody, somebody)
      }
      expect(await opening(planted!)).toBe(ofAnother)
      expect(await reading(planted!)).toBe(ofAnother)
      expect(await opening(linkOf!)).toBe(linked)
      expect(await opening(join(folderOf!, "new"))).toBe(linked)
    }
  },
)

it.runIf(isRoot)("in a folder of another user, takes that user's files and no links", async ({ folder }) => {
  await chown(folder, somebody, somebody)
  const [file, to] = [join(folder, "file"), join(folder, "link")]
  await writeFile(file, "theirs")
  await chown(file, somebody, somebody)
  await symlink("/etc/hostname", to)
  expect(await opening(file)).toBeNull()
  expect(await reading(to)).toBeNull()
  await lchown(to, somebody, somebody)
  expect(await reading(to)).toBe(linked)
})

it.runIf(isRoot)("takes its own files where a share gives them another owner", async ({ folder }) => {
  await chmod(folder, 0o777)
  const path = join(folder, "file")
  // What this program makes belongs to another user than the one that it runs as, as on NFS with `root_squash`.
  const program = `
    const { open } = await import(${JSON.stringify(new URL("../src/ownFile.ts", import.meta.url).href)})
    process.seteuid(${somebody})
    for (const path of process.argv.slice(1))
      await open(path, ${constants.O_RDWR | constants.O_CREAT}).then((file) => file.close()).then(() => "own", (it) => it.problem).then(console.log)`
  const planted = join(folder, "planted")
  await writeFile(planted, "planted", { mode: 0o666 })
  await chown(planted, 1, 1)
  const args = ["--input-type=module", "--eval", program, path, path, planted]
  const said = execFileSync(process.execPath, args, { encoding: "utf8" })
  expect(said.split("\n")).toEqual(["own", "own", ofAnother, ""])
  expect([await opening(path), await readdir(folder)]).toEqual([ofAnother, ["file", "planted"]])
})
