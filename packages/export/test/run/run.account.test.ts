import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Caller } from "../../src/proof/Account.ts"
import { run } from "../../src/run.ts"
import { ndjson } from "../../src/formats/Json.ts"
import type { RunOptions } from "../../src/run.ts"
import type { FileProperties, TableWriter } from "../../src/write/TableWriter.ts"
import { book } from "../fixtures/book.ts"
import { jobOf } from "../fixtures/resumable.ts"
import type { offline } from "../fixtures/resumable.ts"
import { folder } from "../fixtures/list.ts"

const list = (path: string) => Effect.promise(() => readdir(path))
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))

const ada: Caller = { profile: "office", me: { name: "Ada" }, meReason: null }
const ids = [[3], [2], [1]]

interface Choice extends Omit<Partial<RunOptions<typeof offline, never>>, "jobs"> {
  readonly failsAt?: number
}

const exporting = (target: string, { failsAt, ...options }: Choice = {}) =>
  run({ jobs: [jobOf(ids, { failsAt })], outputs: [{ writer: ndjson, target }], ...options })

/** A caller who says how often it was asked for. */
const asked = (caller: Caller) => {
  const times: Array<number> = []
  return { times, caller: Effect.sync(() => (times.push(times.length + 1), caller)) }
}

describe("the account of a run", () => {
  it.effect("is in its manifest, with the key's fingerprint as the pages have it", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.ndjson")
      const { caller, times } = asked(ada)
      const { manifest } = yield* exporting(target, { caller })
      expect(manifest.account).toEqual({ ...ada, keyFingerprint: "0000000000000000" })
      expect(JSON.parse(yield* read(`${target}.manifest.json`))).toMatchObject({ account: manifest.account })
      expect(times).toEqual([1])
    }),
  )

  it.effect("says that it was not requested", () =>
    Effect.gen(function* () {
      const { manifest } = yield* exporting(join(yield* folder, "a.ndjson"))
      expect(manifest.account).toEqual({
        profile: null,
        keyFingerprint: "0000000000000000",
        me: null,
        meReason: "it was not asked for",
      })
    }),
  )

  it.effect("is asked for after the targets were looked at, and before the first page", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      const [whose, asked]: [number, Array<number>] = [0, []]
      const caller = Effect.sync(() => (asked.push(whose), ada))
      const options = { jobs: [jobOf(ids, { asked })], outputs: [{ writer: ndjson, target }], caller }
      yield* run(options)
      expect(asked).toEqual([whose, 1, 2, 3])
      yield* Effect.flip(run(options))
      expect(asked).toEqual([whose, 1, 2, 3])
    }),
  )

  it.effect("leaves nothing behind when the run is interrupted while it is asked for", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const reached = yield* Deferred.make<void>()
      const caller = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      const running = yield* Effect.forkChild(exporting(join(at, "a.ndjson"), { caller }))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(running)
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("is that of the start in a resumed run, which does not ask again: the files are the same", () =>
    Effect.gen(function* () {
      const [unbroken, at] = [yield* folder, yield* folder]
      const options = (path: string, caller: Caller) => ({
        outputs: [{ writer: book, target: join(path, "a.book") }],
        summary: true,
        caller: Effect.succeed(caller),
      })
      yield* exporting("", options(unbroken, ada))
      yield* Effect.flip(exporting("", { ...options(at, ada), failsAt: 2 }))
      const other = asked({ ...ada, me: { name: "Ada", last_seen: "later" } })
      yield* Effect.flip(
        exporting("", { ...options(at, ada), caller: other.caller, resume: true, failsAt: 3 }),
      )
      const { manifest } = yield* exporting("", { ...options(at, ada), caller: other.caller, resume: true })
      expect(other.times).toEqual([])
      expect(manifest.account.me).toEqual({ name: "Ada" })
      const withoutTimes = (text: string) => text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"')
      expect(withoutTimes(yield* read(join(at, "a.book")))).toBe(
        withoutTimes(yield* read(join(unbroken, "a.book"))),
      )
      expect(yield* read(join(at, "a.book"))).toContain("Ada")
    }),
  )

  it.effect("is asked for again by a run that begins anew", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.ndjson")
      yield* Effect.flip(exporting(target, { caller: Effect.succeed(ada), failsAt: 2 }))
      const { manifest } = yield* exporting(target, { caller: Effect.succeed({ ...ada, profile: "home" }) })
      expect(manifest.account.profile).toBe("home")
    }),
  )

  it.effect("is offered to every format when its file ends, without what the service says", () =>
    Effect.gen(function* () {
      const offered: Array<FileProperties | undefined> = []
      const writer: TableWriter = {
        ...book,
        open: (options) =>
          Effect.map(book.open(options), (file) => ({
            ...file,
            end: Effect.andThen(
              Effect.sync(() => void offered.push(options.properties?.())),
              file.end,
            ),
          })),
      }
      const outputs = [{ writer, target: join(yield* folder, "a.book") }]
      yield* exporting("", { outputs, caller: Effect.succeed({ ...ada, profile: "of\u001Bfice" }) })
      expect(offered).toEqual([
        {
          Source: "https://service.example.test",
          Profile: "office",
          "Key fingerprint": "0000000000000000",
        },
      ])
    }),
  )
})
