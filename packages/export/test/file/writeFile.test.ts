import { readdir, readFile, writeFile as writeBefore } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFile } from "../../src/file/Target.ts"
import { folder } from "../fixtures/list.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

it.effect("writes a document whole, piece by piece", () =>
  Effect.gen(function* () {
    const target = join(yield* folder, "page.html")
    yield* writeFile({ target, content: (put) => Effect.andThen(put(bytes("one ")), put(bytes("two"))) })
    expect(yield* Effect.promise(() => readFile(target, "utf8"))).toBe("one two")
  }),
)

it.effect("leaves nothing of content that fails, and an older file as it was", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const [target, older] = [join(at, "page.html"), join(at, "older.html")]
    yield* Effect.promise(() => writeBefore(older, "older"))
    const content = (put: (part: Uint8Array) => Effect.Effect<void, unknown>) =>
      Effect.andThen(put(bytes("half")), Effect.fail("broken" as const))
    expect(yield* Effect.flip(writeFile({ target, content }))).toBe("broken")
    expect(yield* Effect.flip(writeFile({ target: older, overwrite: true, content }))).toBe("broken")
    expect(yield* Effect.promise(() => readdir(at))).toEqual(["older.html"])
    expect(yield* Effect.promise(() => readFile(older, "utf8"))).toBe("older")
  }),
)

it.effect("does not begin where the target is refused", () =>
  Effect.gen(function* () {
    const target = join(yield* folder, "missing", "page.html")
    let begun = false
    const content = () => Effect.sync(() => void (begun = true))
    const error = yield* Effect.flip(writeFile({ target, content }))
    expect([error.reason._tag, begun]).toEqual(["TargetFolderMissing", false])
  }),
)
