import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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
