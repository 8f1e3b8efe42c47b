import { chmod, lchown, mkdir, open, readFile, readdir, symlink, writeFile } from "node:fs/promises"
import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ExportError } from "../../src/error/ExportError.ts"
import { isDeviceOfWindows, look, writeFile as writeFileTo } from "../../src/file/Target.ts"
import { hasNamedPipes } from "../fixtures/otherPrograms.ts"
import { folder } from "../fixtures/list.ts"

const refusal = (target: string, overwrite = false) =>
  Effect.map(Effect.flip(look(target, overwrite)), (error) => error.reason)

it.effect("takes - and the names of standard output for standard output", () =>
  Effect.gen(function* () {
    for (const name of ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
      expect(yield* look(name, false)).toEqual({ _tag: "Stdout" })
    }
  }),
)

it.effect("takes a free name in a folder that exists, and makes nothing", () =>
  Effect.gen(function* () {
    const at = yield* folder
    expect(yield* look(join(at, "a.csv"), false)).toEqual({
      _tag: "File",
      path: join(at, "a.csv"),
      mode: null,
    })
    expect(yield* Effect.promise(() => readdir(at))).toEqual([])
  }),
)

it.effect("refuses a name that is taken unless it may be replaced, and knows the file's mode", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.csv")
    yield* Effect.promise(() => writeFile(path, "old", { mode: 0o640 }))
    expect(yield* refusal(path)).toEqual({ _tag: "TargetExists", path })
    expect(yield* look(path, true)).toEqual({ _tag: "File", path, mode: 0o640 })
  }),
)

it.effect("refuses a folder, a missing folder, and a file where a folder should be", () =>
  Effect.gen(function* () {
    const at = yield* folder
    yield* Effect.promise(() => writeFile(join(at, "file"), ""))
    expect(yield* refusal(at, true)).toEqual({ _tag: "TargetIsFolder", path: at })
    for (const missing of ["missing", "file"]) {
      expect(yield* refusal(join(at, missing, "a.csv"))).toEqual({
        _tag: "TargetFolderMissing",
        folder: join(at, missing),
      })
    }
  }),
)

it.effect("takes a name that ends like a folder's for a folder", () =>
  Effect.gen(function* () {
    const at = yield* folder
    expect(yield* refusal(`${join(at, "missing")}/`)).toEqual({
      _tag: "TargetFolderMissing",
      folder: join(at, "missing"),
    })
  }),
)

it.effect("follows symbolic links, also to a file that is not there yet", () =>
  Effect.gen(function* () {
    const at = yield* folder
    yield* Effect.promise(async () => {
      await mkdir(join(at, "real"))
      await symlink("real", join(at, "folder"))
      await symlink(join("folder", "a.csv"), join(at, "link"))
    })
    const path = join(at, "real", "a.csv")
    expect(yield* look(join(at, "link"), false)).toEqual({ _tag: "File", path, mode: null })
    yield* Effect.promise(() => writeFile(path, "old"))
    expect(yield* refusal(join(at, "link"))).toEqual({ _tag: "TargetExists", path: join(at, "link") })
  }),
)

it.effect("refuses links that lead in a circle", () =>
  Effect.gen(function* () {
    const at = yield* folder
    yield* Effect.promise(() => symlink("loop", join(at, "loop")))
    expect(yield* refusal(join(at, "loop"))).toMatchObject({ _tag: "FileFailed", code: "ELOOP" })
  }),
)

it.effect.runIf(hasNamedPipes)("knows named pipes and devices", () =>
  Effect.gen(function* () {
    const pipe = join(yield* folder, "pipe")
    execFileSync("mkfifo", [pipe])
    expect(yield* look(pipe, false)).toEqual({ _tag: "NamedPipe", path: pipe })
    expect(yield* look("/dev/null", false)).toEqual({ _tag: "Device", path: "/dev/null" })
  }),
)

it.effect("takes a descriptor that leads to a file for that descriptor, and writes where it stands", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.csv")
    yield* Effect.promise(() => writeFile(path, "before "))
    const handle = yield* Effect.promise(() => open(path, "a"))
    const content = (write: (chunk: Uint8Array) => Effect.Effect<void, ExportError>) =>
      Effect.andThen(write(new TextEncoder().encode("one ")), write(new TextEncoder().encode("two")))
    for (const target of [`/dev/fd/${handle.fd}`, `/proc/self/fd/${handle.fd}`])
      yield* writeFileTo({ target, content })
    yield* Effect.promise(() => handle.close())
    expect(yield* Effect.promise(() => readFile(path, "utf8"))).toBe("before one twoone two")
  }),
)

const canMount =
  process.platform === "linux" && spawnSync("unshare", ["-m", "true"], { stdio: "ignore" }).status === 0
if (!canMount) console.warn("SKIPPED: this user may mount nothing, so no mounted file is tried.")

describe.skipIf(!canMount)("a file that is mounted by itself", () => {
  it.effect("is refused, also with a space in its name", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [path, source] = [join(at, "a file.csv"), join(at, "source")]
      yield* Effect.promise(() => Promise.all([writeFile(path, "old"), writeFile(source, "old")]))
      const program = `
      import * as Effect from "effect/Effect"
      import { look } from ${JSON.stringify(join(import.meta.dirname, "../../src/file/Target.ts"))}
      const found = look(${JSON.stringify(path)}, true)
      console.log(await Effect.runPromise(Effect.match(found, { onSuccess: ({ _tag }) => _tag, onFailure: ({ reason }) => reason._tag })))
    `
      const command = `mount --bind "$1" "$2" && exec "$3" --conditions=@deedkit/source --input-type=module --eval "$4"`
      const said = execFileSync(
        "unshare",
        ["-m", "sh", "-c", command, "sh", source, path, process.execPath, program],
        {
          cwd: join(import.meta.dirname, ".."),
          encoding: "utf8",
        },
      )
      expect(said.trim()).toBe("TargetMounted")
    }),
  )
})

const isRoot = process.platform === "linux" && process.getuid?.() === 0
if (!isRoot) console.warn("SKIPPED: only root can try targets that another user has made.")

it.effect.runIf(isRoot)(
  "takes no link, pipe or mode of another user in a folder that every user may write",
  () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [link, pipe, path] = [join(at, "link"), join(at, "pipe"), join(at, "a.csv")]
      yield* Effect.promise(async () => {
        await chmod(at, 0o777)
        await Promise.all([symlink("/etc/hostname", link), writeFile(path, "old", { mode: 0o606 })])
        spawnSync("mkfifo", [pipe])
        for (const each of [link, pipe, path]) await lchown(each, 65_534, 65_534)
      })
      for (const each of [link, pipe]) {
        expect((yield* Effect.flip(look(each, true))).reason).toMatchObject({ _tag: "NotOwn", path: each })
      }
      expect(yield* look(path, true)).toEqual({ _tag: "File", path, mode: null })
    }),
)

it("knows the names that Windows takes for devices, with an ending", () => {
  const names = [
    "nul.csv",
    "CON.xlsx",
    "aux.csv.gz",
    "com1.csv",
    "lpt9 .csv",
    "nul",
    "null.csv",
    "console.csv",
    "xcon.csv",
  ]
  expect(names.map(isDeviceOfWindows)).toEqual([true, true, true, true, true, false, false, false, false])
})
