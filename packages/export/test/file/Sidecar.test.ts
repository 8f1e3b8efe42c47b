import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sidecar from "../../src/run/Sidecars.ts"
import { folder } from "../fixtures/list.ts"

const list = (path: string) => Effect.promise(() => readdir(path))
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const make = (path: string, overwrite = false) => Sidecar.make({ path, overwrite, mode: null })

it.effect("is made with its first line, and gets its name when it is committed", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const file = yield* make(join(at, "a.ndjson"))
    yield* file.append("")
    expect(yield* list(at)).toEqual([])
    yield* file.append("one\n")
    yield* file.append("two\n")
    expect(yield* list(at)).toEqual([expect.stringMatching(/\.part$/)])
    yield* Effect.andThen(file.finish, file.commit)
    expect(yield* list(at)).toEqual(["a.ndjson"])
    expect(yield* read(join(at, "a.ndjson"))).toBe("one\ntwo\n")
  }),
)

it.effect("has one line a text for every reader, whatever line ends of Unicode the text holds", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.ndjson")
    const file = yield* make(path)
    yield* file.append(`${JSON.stringify({ raw: "a\u2028b\u2029c\u0085d" })}\n`)
    yield* Effect.andThen(file.finish, file.commit)
    expect(yield* read(path)).toBe('{"raw":"a\\u2028b\\u2029c\\u0085d"}\n')
  }),
)

it.effect("leaves nothing when its scope closes before", () =>
  Effect.gen(function* () {
    const at = yield* folder
    yield* Effect.scoped(Effect.flatMap(make(join(at, "a.ndjson")), (file) => file.append("one\n")))
    expect(yield* list(at)).toEqual([])
  }),
)

it.effect("of an earlier run is refused, or taken away where this one has nothing for it", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const path = join(at, "a.ndjson")
    yield* Effect.promise(() => writeFile(path, "old"))
    expect((yield* Effect.flip(make(path))).reason).toEqual({ _tag: "TargetExists", path })
    const file = yield* make(path, true)
    yield* file.finish
    expect(yield* read(path)).toBe("old")
    yield* file.commit
    expect(yield* list(at)).toEqual([])
  }),
)

it.effect("that came meanwhile is neither taken away nor replaced", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const path = join(at, "a.ndjson")
    const [unused, used] = [yield* make(path), yield* make(path)]
    yield* used.append("mine\n")
    yield* Effect.promise(() => writeFile(path, "theirs"))
    yield* unused.commit
    expect((yield* Effect.flip(used.commit)).reason).toEqual({ _tag: "TargetExists", path })
    expect(yield* read(path)).toBe("theirs")
  }),
)
