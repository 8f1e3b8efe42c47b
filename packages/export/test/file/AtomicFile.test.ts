import { spawnSync } from "node:child_process"
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as AtomicFile from "../../src/file/AtomicFile.ts"
import { folder } from "../fixtures/list.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const list = (path: string) => Effect.promise(() => readdir(path))

it.effect("has no name before it is whole", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const path = join(at, "a.csv")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const sink = yield* AtomicFile.make({ path, overwrite: false, mode: null })
        yield* sink.write(bytes("one "))
        yield* sink.write(bytes("two"))
        expect(yield* list(at)).toEqual([expect.stringMatching(/^a\.csv\.[0-9a-f]{8}\.part$/)])
        yield* sink.commit
      }),
    )
    expect(yield* list(at)).toEqual(["a.csv"])
    expect(yield* read(path)).toBe("one two")
  }),
)

it("holds every byte once and in order, though the caller reuses its memory", async () => {
  const size = fc.oneof(fc.nat(2_000), fc.nat(600_000), fc.constantFrom(0, 262_143, 262_144, 262_145))
  const property = fc.asyncProperty(fc.array(size), async (sizes) => {
    const memory = Buffer.alloc(600_000)
    const wanted: Array<Uint8Array> = []
    const writing = Effect.gen(function* () {
      const path = join(yield* folder, "a.csv")
      const sink = yield* AtomicFile.make({ path, overwrite: true, mode: null })
      for (const [number, length] of sizes.entries()) {
        const piece = memory.subarray(0, length).fill(number + 1)
        wanted.push(Buffer.from(piece))
        yield* sink.write(piece)
        memory.fill(0)
      }
      yield* sink.finish
      yield* sink.commit
      return yield* Effect.promise(() => readFile(path))
    })
    const written = await Effect.runPromise(Effect.scoped(writing))
    expect(written.equals(Buffer.concat(wanted))).toBe(true)
  })
  await fc.assert(property, { numRuns: 60 })
})

it.effect("leaves nothing when it is not committed, and an older file as it was", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const path = join(at, "a.csv")
    yield* Effect.promise(() => writeFile(path, "old"))
    yield* Effect.scoped(
      Effect.flatMap(AtomicFile.make({ path, overwrite: true, mode: 0o600 }), (sink) =>
        sink.write(bytes("new")),
      ),
    )
    expect(yield* list(at)).toEqual(["a.csv"])
    expect(yield* read(path)).toBe("old")
  }),
)

it.effect("keeps the mode that it is given, whatever the umask", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.csv")
    yield* Effect.scoped(
      Effect.flatMap(AtomicFile.make({ path, overwrite: false, mode: 0o622 }), (sink) => sink.commit),
    )
    expect((yield* Effect.promise(() => stat(path))).mode & 0o777).toBe(0o622)
  }),
)

it.effect("does not replace a file that came while it was written", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const path = join(at, "a.csv")
    const error = yield* Effect.scoped(
      Effect.gen(function* () {
        const sink = yield* AtomicFile.make({ path, overwrite: false, mode: null })
        yield* Effect.promise(() => writeFile(path, "theirs"))
        return yield* Effect.flip(sink.commit)
      }),
    )
    expect(error.reason).toEqual({ _tag: "TargetExists", path })
    expect(yield* list(at)).toEqual(["a.csv"])
    expect(yield* read(path)).toBe("theirs")
  }),
)

it.effect("does not write on the leftovers of a dead run", () =>
  Effect.gen(function* () {
    const at = yield* folder
    yield* Effect.promise(() => writeFile(join(at, "a.csv.00000000.part"), "leftover"))
    yield* Effect.scoped(
      Effect.flatMap(
        AtomicFile.make({ path: join(at, "a.csv"), overwrite: false, mode: null }),
        (sink) => sink.commit,
      ),
    )
    expect((yield* list(at)).toSorted()).toEqual(["a.csv", "a.csv.00000000.part"])
    expect(yield* read(join(at, "a.csv.00000000.part"))).toBe("leftover")
  }),
)

it.effect("fails when the folder is gone", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "missing", "a.csv")
    const error = yield* Effect.scoped(Effect.flip(AtomicFile.make({ path, overwrite: false, mode: null })))
    expect(error.reason).toEqual({ _tag: "FileFailed", path, step: "create", code: "ENOENT" })
  }),
)

describe("the sweep of part files", () => {
  const part = (name: string, more = ".0123abcd.part") => `${name}${more}`

  const swept = (names: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.promise(() => Promise.all(names.map((name) => writeFile(join(at, name), "part"))))
      yield* AtomicFile.sweep(join(at, "a.csv"))
      return new Set(yield* list(at))
    })

  it.effect("takes away what killed runs left of this file", () =>
    Effect.gen(function* () {
      expect(yield* swept([part("a.csv"), part("a.csv", ".ffffffff.part")])).toEqual(new Set())
    }),
  )

  const kept: ReadonlyArray<readonly [whose: string, names: ReadonlyArray<string>]> = [
    ["of other files", [part("b.csv"), part("a.csv.rejected.ndjson"), part("aXcsv")]],
    [
      "that only look alike",
      [
        part("a.csv", ".0123abcd.part.txt"),
        part("a.csv", ".0123abc.part"),
        part("a.csv", ".0123ABCD.part"),
        part("a.csv", ".part"),
        "a.csv",
      ],
    ],
  ]
  for (const [whose, names] of kept) {
    it.effect(`leaves files ${whose}`, () =>
      Effect.gen(function* () {
        expect(yield* swept(names)).toEqual(new Set(names))
      }),
    )
  }

  it.effect("leaves the parts that are being written, also by this process", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const path = join(at, "a.csv")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sink = yield* AtomicFile.make({ path, overwrite: false, mode: null })
          yield* sink.write(bytes("whole"))
          yield* AtomicFile.sweep(path)
          yield* sink.finish
          yield* AtomicFile.sweep(path)
          yield* sink.commit
        }),
      )
      expect(yield* read(path)).toBe("whole")
    }),
  )

  it.effect("is no failure where the folder is missing, or holds a folder of such a name", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* AtomicFile.sweep(join(at, "missing", "a.csv"))
      yield* Effect.promise(() => mkdir(join(at, part("a.csv"))))
      yield* AtomicFile.sweep(join(at, "a.csv"))
      expect(yield* list(at)).toEqual([part("a.csv")])
    }),
  )
})

it.effect("a file that is replaced keeps its mode, and a new one has the usual", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const [old, fresh] = [join(at, "old.json"), join(at, "fresh.json")]
    yield* Effect.promise(() => writeFile(old, "old", { mode: 0o600 }))
    for (const path of [old, fresh]) yield* AtomicFile.writeWhole(path, bytes("new"))
    const modes = yield* Effect.promise(() => Promise.all([old, fresh].map((path) => stat(path))))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o666 & ~process.umask()])
  }),
)

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn("SKIPPED: only root can give a file to another user, so no owner is kept here.")

describe.skipIf(!isRoot)("the owner of a file that is replaced", () => {
  const replaced = (folderMode: number) =>
    Effect.gen(function* () {
      const at = yield* folder
      const path = join(at, "a.csv")
      yield* Effect.promise(async () => {
        await chmod(at, folderMode)
        await writeFile(path, "old", { mode: 0o600 })
        await chown(path, 65_534, 65_534)
      })
      yield* AtomicFile.writeWhole(path, bytes("new"), 0o600)
      const { gid, mode, uid } = yield* Effect.promise(() => stat(path))
      return { text: yield* read(path), uid, gid, mode: mode & 0o777 }
    })

  it.effect("and its group are kept", () =>
    Effect.gen(function* () {
      const kept = { text: "new", uid: 65_534, gid: 65_534, mode: 0o600 }
      for (const mode of [0o700, 0o755, 0o775]) expect(yield* replaced(mode)).toEqual(kept)
    }),
  )

  it.effect("is not kept where everybody may have put the file there", () =>
    Effect.gen(function* () {
      for (const mode of [0o777, 0o1777]) expect(yield* replaced(mode)).toMatchObject({ uid: 0, mode: 0o600 })
    }),
  )
})

const gcc = spawnSync("gcc", ["--version"]).status === 0 && process.platform === "linux"
if (!gcc) console.warn("SKIPPED: without gcc no file system with fewer operations can be imitated.")

describe.skipIf(!gcc)("a file system that lacks an operation", () => {
  /** Replaces a file in a process whose `operation` fails with this code. */
  const replace = (operation: "fchmod(int f, int m)" | "fsync(int f)", code: string) =>
    Effect.gen(function* () {
      const at = yield* folder
      const [path, library] = [join(at, "a.csv"), join(at, "lacks.so")]
      const source = `#include <errno.h>\nint ${operation} { errno = ${code}; return -1; }\n`
      expect(
        spawnSync("gcc", ["-shared", "-fPIC", "-o", library, "-x", "c", "-"], { input: source }).status,
      ).toBe(0)
      yield* Effect.promise(() => writeFile(path, "old", { mode: 0o640 }))
      const program = `
        import * as Effect from "effect/Effect"
        import * as AtomicFile from ${JSON.stringify(join(import.meta.dirname, "../../src/file/AtomicFile.ts"))}
        const write = AtomicFile.writeWhole(${JSON.stringify(path)}, new TextEncoder().encode("new"), 0o640)
        console.log(await Effect.runPromise(Effect.match(write, { onSuccess: () => "written", onFailure: ({ reason }) => reason._tag })))
      `
      const run = spawnSync(
        process.execPath,
        ["--conditions=@deedkit/source", "--input-type=module", "--eval", program],
        {
          cwd: join(import.meta.dirname, ".."),
          encoding: "utf8",
          env: { ...process.env, LD_PRELOAD: library },
        },
      )
      return { said: run.stdout.trim() || run.stderr, text: yield* read(path) }
    })

  describe.each([
    ["fchmod(int f, int m)", "EPERM"],
    ["fchmod(int f, int m)", "ENOTSUP"],
    ["fsync(int f)", "EINVAL"],
    ["fsync(int f)", "ENOSYS"],
  ] as const)("%s fails with %s", (operation, code) => {
    it.effect("and the file is written all the same", () =>
      Effect.gen(function* () {
        expect(yield* replace(operation, code)).toEqual({ said: "written", text: "new" })
      }),
    )
  })

  describe.each([
    ["fsync(int f)", "EIO", "FileFailed"],
    ["fsync(int f)", "ENOSPC", "DiskFull"],
    ["fchmod(int f, int m)", "EIO", "FileFailed"],
  ] as const)("%s fails with %s", (operation, code, tag) => {
    it.effect(`and that is an error of the disk: ${tag}`, () =>
      Effect.gen(function* () {
        expect(yield* replace(operation, code)).toEqual({ said: tag, text: "old" })
      }),
    )
  })
})
