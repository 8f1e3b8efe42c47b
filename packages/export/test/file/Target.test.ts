import { mkdir, readdir, symlink, writeFile } from "node:fs/promises"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { look } from "../../src/file/Target.ts"
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
