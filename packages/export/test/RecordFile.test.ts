import { spawnSync } from "node:child_process"
import type { FileHandle } from "node:fs/promises"
import {
  appendFile,
  chmod,
  lchown,
  open as openFile,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises"
import { join } from "node:path"
import { Json } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it, vi } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { unasked } from "../src/proof/Account.ts"
import * as RecordFile from "../src/RecordFile.ts"
import { identityOf } from "../src/run/describe.ts"
import { folder, rejected } from "./fixtures/list.ts"

const identity = { "list of tables": "contracts keys", "ways to read": "with proof" }
const startedAt = "2026-03-01T09:30:00.000Z"

/** `open`: the list goes on. `read`: it was read, and is not yet shown to be whole. `whole`: it is. */
type State = "open" | "read" | "whole"

/** A page whose answer is an object with this text. */
const pageOf = (table: number, text: string, state: State = "open"): RecordFile.SavedPage => {
  const { checkpoint } = Fixtures.page([])
  const { summary } = checkpoint
  const unfinished = { ...summary.completeness, state: "unverified", reason: "unfinished" } as const
  const note = { isAnswer: true, table, rejected: [], withoutData: 0, newValues: [] }
  return {
    body: JSON.stringify({ text }),
    note: {
      ...note,
      checkpoint: {
        ...checkpoint,
        next: state === "open" ? { type: "string", text } : null,
        summary: state === "whole" ? summary : { ...summary, completeness: unfinished },
      },
    },
  }
}

const open = (target: string, options: Partial<RecordFile.RecordFileOptions> = {}) =>
  RecordFile.make({ target, identity, resume: false, startedAt, ...options })

const begun = (target: string, options: Partial<RecordFile.RecordFileOptions> = {}) =>
  Effect.tap(open(target, options), ({ writeHeader }) => writeHeader(unasked))

const append = (file: RecordFile.RecordFile, table: number, texts: ReadonlyArray<string>) =>
  Effect.andThen(
    Effect.forEach(texts, (text) => file.append(pageOf(table, text, text === "three" ? "whole" : "open"))),
    file.flush,
  )

/** A file with pages in it, closed. */
const filled = (target: string, options: Partial<RecordFile.RecordFileOptions> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* begun(target, options)
      yield* append(file, 0, ["one", "two"])
      yield* append(file, 1, ["three"])
    }),
  )

/** The saved pages of a table, from the first to the last. */
const pagesIn = (file: RecordFile.RecordFile, table: number) =>
  Effect.promise(async () => {
    const found: Array<RecordFile.SavedPage> = []
    for await (const page of file.saved(table)?.pages() ?? []) found.push(page)
    return found
  })

/** Their texts. */
const texts = (file: RecordFile.RecordFile, table: number) =>
  Effect.map(pagesIn(file, table), (pages) =>
    pages.map(({ body }) => (JSON.parse(body) as { readonly text: string }).text),
  )

const read = (path: string) => Effect.promise(() => readFile(path))

const refusal = (target: string, options: Partial<RecordFile.RecordFileOptions> = {}) =>
  Effect.map(Effect.scoped(Effect.flip(open(target, options))), ({ reason }) => reason)

describe.each([
  ["EINVAL", "is written all the same", null],
  ["EIO", "fails", "FileFailed"],
] as const)("a record file on a disk that says %s when it is to be synced", (code, what, problem) => {
  it.effect(what, () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      const handle = yield* Effect.promise(() => openFile(`${target}.part.records`))
      const cause = Object.assign(new Error(code), { code })
      const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "datasync").mockRejectedValue(cause)
      let now = performance.now()
      // Each look at the clock is later than a sync is due.
      const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000))
      const ended = yield* Effect.exit(filled(target, { resume: false, target: `${target}2` }))
      const calls = sync.mock.calls.length
      sync.mockRestore()
      clock.mockRestore()
      yield* Effect.promise(() => handle.close())
      expect(calls).toBeGreaterThan(0)
      expect(
        Exit.isSuccess(ended) ? null : Option.getOrNull(Cause.findErrorOption(ended.cause))?.reason._tag,
      ).toBe(problem)
    }),
  )
})

describe("a record file", () => {
  it.effect("is readable by its owner alone", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      expect((yield* Effect.promise(() => stat(`${target}.part.records`))).mode & 0o777).toBe(0o600)
    }),
  )

  it.effect(
    "is a line of JSON about the run, then an answer as it came and a line about it for each page",
    () =>
      Effect.gen(function* () {
        const target = join(yield* folder, "a.csv")
        yield* Effect.scoped(
          Effect.gen(function* () {
            const file = yield* begun(target)
            const page = pageOf(0, "one")
            yield* file.append({
              ...page,
              body: '{"id":9007199254740993,"s":"a\\nb \u{1F3E0}",\r\n "n":1.50}',
            })
            yield* file.flush
          }),
        )
        const lines = (yield* read(`${target}.part.records`)).toString().split("\n")
        expect(lines).toHaveLength(4)
        expect(JSON.parse(lines[0]!)).toMatchObject({ version: 1, identity, startedAt })
        expect(lines[1]).toBe('{"id":9007199254740993,"s":"a\\nb \u{1F3E0}",   "n":1.50}')
        expect(JSON.parse(lines[2]!)).toEqual(["page", expect.any(Number), pageOf(0, "one").note])
      }),
  )

  it.effect("gives each table its own pages again, in their order, with their last checkpoint", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      const file = yield* open(target, { resume: true, startedAt: "2026-03-02T00:00:00.000Z" })
      expect(file).toMatchObject({ isResumed: true, startedAt, caller: unasked })
      for (const _ of ["once", "again"]) {
        expect(yield* texts(file, 0)).toEqual(["one", "two"])
        expect(yield* texts(file, 1)).toEqual(["three"])
      }
      expect(file.saved(0)?.last).toEqual(pageOf(0, "two").note.checkpoint)
      expect(file.saved(1)?.last).toEqual(pageOf(1, "three", "whole").note.checkpoint)
      expect(file.saved(2)).toBeNull()
      expect(file.pages()).toBe(3)
    }),
  )

  it.effect("keeps rejected records with every digit, and what was new in the run", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const { body, note } = pageOf(0, "one")
      const said = { ...note, rejected: [rejected(7)], withoutData: 2 }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* begun(target)
          yield* file.append({ body, note: { ...said, newValues: ["deposit (object)"] } })
          yield* file.append({ body, note: { ...said, newValues: ["Αθήνα\u2028"] } })
          yield* file.flush
        }),
      )
      const file = yield* open(target, { resume: true })
      expect(file.newValues).toEqual(["deposit (object)", "Αθήνα\u2028"])
      const [page] = yield* pagesIn(file, 0)
      expect(page?.note).toMatchObject({ rejected: [rejected(7)], withoutData: 2 })
      expect(Json.stringify(page?.note.rejected)).toContain("9007199254740993")
    }),
  )

  it.effect("goes on after the pages that it has", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* Effect.scoped(Effect.flatMap(begun(target), (file) => append(file, 0, ["one", "two"])))
      const before = yield* read(`${target}.part.records`)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* begun(target, { resume: true })
          yield* append(file, 0, ["three"])
          expect(file.pages()).toBe(3)
          // The pages of the run itself are not among those that were saved before it.
          expect(yield* texts(file, 0)).toEqual(["one", "two"])
        }),
      )
      const after = yield* read(`${target}.part.records`)
      expect(after.subarray(0, before.byteLength)).toEqual(before)
      expect(yield* texts(yield* open(target, { resume: true }), 0)).toEqual(["one", "two", "three"])
    }),
  )

  it.effect("holds pages of many sizes, one after the other", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const sizes = [1, 300_000, 0, 262_000, 1_200_000, 7, 524_288]
      const all = sizes.map((size, at) => `${at}`.repeat(size))
      yield* Effect.scoped(Effect.flatMap(begun(target), (file) => append(file, 0, all)))
      expect(yield* texts(yield* open(target, { resume: true }), 0)).toEqual(all)
    }),
  )

  it.effect("gives a page again whose answer begins with white space, and the pages after it", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* begun(target)
          for (const [text, space] of [
            ["one", "\n"],
            ["two", " \r\n\t "],
            ["four", ""],
          ] as const) {
            const page = pageOf(0, text)
            yield* file.append({ ...page, body: `${space}${page.body}\n` })
          }
          yield* file.flush
        }),
      )
      const file = yield* open(target, { resume: true })
      expect(yield* texts(file, 0)).toEqual(["one", "two", "four"])
    }),
  )

  it.effect("is cut after its last whole page, wherever it was torn", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.part.records`
      yield* filled(target)
      const whole = yield* read(path)
      const last = whole.lastIndexOf('{"text"')
      expect(last).toBeGreaterThan(0)
      for (let size = whole.byteLength - 1; size >= last; size -= 1) {
        const torn = Buffer.concat([whole.subarray(0, size), Buffer.alloc(size % 3)])
        yield* Effect.promise(() => writeFile(path, torn))
        expect(yield* RecordFile.look(target), `cut to ${size} bytes`).toMatchObject({ pages: 2 })
        if (size % 10 !== 0) continue
        yield* Effect.scoped(
          Effect.gen(function* () {
            const file = yield* begun(target, { resume: true })
            expect(yield* texts(file, 0)).toEqual(["one", "two"])
            expect(file.saved(1)).toBeNull()
            yield* append(file, 1, ["three"])
          }),
        )
        expect((yield* read(path)).equals(whole), `cut to ${size} bytes`).toBe(true)
      }
    }),
  )

  it.effect("ends before a page with a byte that was changed, whichever it is", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.part.records`
      yield* filled(target)
      const whole = yield* read(path)
      const first = whole.indexOf('{"text"')
      const second = whole.indexOf('{"text"', first + 1)
      for (let at = first; at < second; at += 1) {
        const changed = Buffer.from(whole)
        changed[at]! ^= 1
        yield* Effect.promise(() => writeFile(path, changed))
        expect(yield* RecordFile.look(target), `byte ${at}`).toMatchObject({ pages: 0 })
      }
      yield* Effect.scoped(Effect.flatMap(begun(target, { resume: true }), (file) => append(file, 0, ["1"])))
      const again = yield* open(target, { resume: true })
      expect(yield* texts(again, 0)).toEqual(["1"])
      expect(again.saved(1)).toBeNull()
    }),
  )

  it.effect("gives back no page after which a read cannot go on", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* begun(target)
          yield* append(file, 0, ["one"])
          yield* file.append(pageOf(0, "the last of the first reading", "read"))
          yield* file.append(pageOf(0, "of the second reading", "read"))
        }),
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* begun(target, { resume: true })
          expect(yield* texts(file, 0)).toEqual(["one"])
          expect(file.pages()).toBe(1)
          yield* file.append(pageOf(0, "read", "read"))
          yield* file.append(pageOf(0, "whole", "whole"))
        }),
      )
      expect(yield* texts(yield* open(target, { resume: true }), 0)).toEqual(["one", "read", "whole"])
    }),
  )

  it.effect("starts over unless it is to resume", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* begun(target, { startedAt: "2026-03-02T00:00:00.000Z" })
          expect(file).toMatchObject({
            isResumed: false,
            startedAt: "2026-03-02T00:00:00.000Z",
            caller: null,
          })
          expect(file.saved(0)).toBeNull()
        }),
      )
      expect(yield* RecordFile.look(target)).toMatchObject({
        pages: 0,
        startedAt: "2026-03-02T00:00:00.000Z",
      })
    }),
  )

  for (const [hours, expected] of [
    [19, ["one", "two"]],
    [21, []],
  ] as const) {
    it.effect(`gives ${expected.length} pages ${hours} hours after the last one was saved`, () =>
      Effect.gen(function* () {
        const target = join(yield* folder, "a.csv")
        yield* filled(target)
        const saved = Date.parse(startedAt) / 1_000 - hours * 3_600
        yield* Effect.promise(() => utimes(RecordFile.pathOf(target), saved, saved))
        // An attempt that saves no page makes those that are there no younger.
        if (expected.length > 0) yield* Effect.scoped(open(target, { resume: true }))
        const { mtimeMs } = yield* Effect.promise(() => stat(RecordFile.pathOf(target)))
        expect(mtimeMs).toBe(saved * 1_000)
        const file = yield* open(target, { resume: true })
        expect([file.isResumed, yield* texts(file, 0)]).toEqual([expected.length > 0, expected])
      }),
    )
  }

  it.effect("is a new one where there is none, or an empty file, to resume", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      for (const prepare of [Effect.void, Effect.promise(() => truncate(`${target}.part.records`))]) {
        yield* prepare
        yield* Effect.scoped(
          Effect.gen(function* () {
            const file = yield* begun(target, { resume: true })
            expect(file.isResumed).toBe(false)
            yield* append(file, 0, ["one"])
          }),
        )
        expect(yield* RecordFile.look(target)).toMatchObject({ pages: 1 })
      }
    }),
  )

  it.effect("is gone when it was dropped, also when it is dropped twice", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const file = yield* begun(join(at, "a.csv"))
      yield* append(file, 0, ["one"])
      yield* Effect.andThen(file.drop, file.drop)
      expect(yield* Effect.promise(() => readdir(at))).toEqual([])
    }),
  )
})

describe("a record file is refused, and stays as it was", () => {
  it.effect("while a run writes it", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.part.records`
      yield* filled(target)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open(target, { resume: true })
          const before = yield* read(path)
          for (const resume of [true, false]) {
            expect(yield* refusal(target, { resume })).toEqual({ _tag: "RunUnderWay", path })
          }
          expect(yield* RecordFile.look(target)).toMatchObject({ pages: 3, isRunning: true })
          expect(yield* read(path)).toEqual(before)
        }),
      )
      expect(yield* RecordFile.look(target)).toMatchObject({ pages: 3, isRunning: false })
    }),
  )

  it.effect("by all but one of many runs that begin at the same moment, also while a run removes it", () =>
    Effect.gen(function* () {
      const at = yield* folder
      for (let round = 0; round < 20; round += 1) {
        const target = join(at, `${round}.csv`)
        yield* filled(target)
        const earlier = yield* Effect.forkChild(
          Effect.scoped(Effect.flatMap(open(target), ({ drop }) => drop)),
        )
        let running = 0
        const tags = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () =>
            open(target).pipe(
              Effect.flatMap(() => {
                running += 1
                expect(running).toBe(1)
                return Effect.promise(() => stat(`${target}.part.records`).finally(() => (running -= 1)))
              }),
              Effect.scoped,
              Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: () => "ran" }),
            ),
          { concurrency: "unbounded" },
        )
        yield* Fiber.await(earlier)
        expect(tags).toContain("ran")
        expect(tags.filter((tag) => tag !== "ran" && tag !== "RunUnderWay")).toEqual([])
      }
    }),
  )

  const others: ReadonlyArray<readonly [field: string, identity: RecordFile.Identity]> = [
    ["list of tables", { ...identity, "list of tables": "contracts" }],
    ["ways to read", { ...identity, "ways to read": "once" }],
    ["list of tables", { "ways to read": "with proof" }],
    ["sources", { ...identity, sources: "a mirror" }],
  ]
  for (const [field, other] of others) {
    it.effect(`when it is to resume and the ${field} differ: ${Object.keys(other).join(", ")}`, () =>
      Effect.gen(function* () {
        const target = join(yield* folder, "a.csv")
        const path = `${target}.part.records`
        yield* filled(target)
        const before = yield* read(path)
        expect(yield* refusal(target, { resume: true, identity: other })).toEqual({
          _tag: "ResumeRefused",
          path,
          field,
        })
        expect(yield* read(path)).toEqual(before)
        const file = yield* open(target, { resume: true })
        expect(yield* texts(file, 0)).toEqual(["one", "two"])
      }),
    )
  }

  it.effect("when it is of a run from a mirror, and the service is to be read", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const service = { jobs: [], outputs: [] }
      const mirror = { account: "acme", asOf: null, startedAt, endedAt: startedAt }
      yield* filled(target, { identity: identityOf({ ...service, mirror }) })
      const asked = { resume: true, identity: identityOf(service) }
      expect(yield* refusal(target, asked)).toMatchObject({ _tag: "ResumeRefused", field: "sources" })
    }),
  )

  const foreign: ReadonlyArray<readonly [what: string, content: string]> = [
    ["a table", "Id,Status\n1,active\n"],
    ["one byte", "\n"],
    ["a header of another form", `${JSON.stringify({ version: "1", identity, startedAt })}\n`],
    ["a header that was torn", JSON.stringify({ version: 1, identity, startedAt })],
    ["a header of a newer version", `${JSON.stringify({ version: 2, identity, startedAt })}\n`],
    ["a text without an end of line", "x".repeat(300_000)],
  ]
  for (const [what, content] of foreign) {
    it.effect(`when a file of its name holds ${what}`, () =>
      Effect.gen(function* () {
        const target = join(yield* folder, "a.csv")
        const path = `${target}.part.records`
        yield* Effect.promise(() => writeFile(path, content))
        for (const resume of [true, false]) {
          const isNewer = what === "a header of a newer version"
          expect(yield* refusal(target, { resume })).toEqual({ _tag: "RecordsUnreadable", path, isNewer })
        }
        expect(yield* RecordFile.look(target)).toBeNull()
        expect((yield* read(path)).toString()).toBe(content)
      }),
    )
  }
})

describe("a look at a record file", () => {
  it.effect("finds nothing where there is nothing, and makes nothing", () =>
    Effect.gen(function* () {
      const at = yield* folder
      expect(yield* RecordFile.look(join(at, "a.csv"))).toBeNull()
      expect(yield* Effect.promise(() => readdir(at))).toEqual([])
    }),
  )

  it.effect("counts the pages, and names the files that were about to get their names", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.part.records`
      yield* filled(target)
      const leftover = { path, startedAt, pages: 3, isRunning: false, named: [] }
      expect(yield* RecordFile.look(target)).toEqual(leftover)
      const named = ["/a.csv", "/\u{1F3E0}.xlsx"]
      yield* Effect.scoped(Effect.flatMap(open(target, { resume: true }), ({ naming }) => naming(named)))
      expect(yield* RecordFile.look(target)).toEqual({ ...leftover, named })
      yield* Effect.promise(() => appendFile(path, "more"))
      expect(yield* RecordFile.look(target)).toEqual({ ...leftover, named })
      // A run that resumes it, and is killed again, may have left them as they were.
      yield* Effect.scoped(
        Effect.flatMap(begun(target, { resume: true }), (file) =>
          Effect.andThen(append(file, 1, ["four"]), texts(file, 0)),
        ),
      )
      expect(yield* RecordFile.look(target)).toEqual({ ...leftover, pages: 4, named })
      const again = yield* open(target, { resume: true })
      expect([yield* texts(again, 0), yield* texts(again, 1)]).toEqual([
        ["one", "two"],
        ["three", "four"],
      ])
    }),
  )

  it.effect("says what failed", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "missing")
      yield* Effect.promise(() => writeFile(path, ""))
      const error = yield* Effect.flip(RecordFile.look(join(path, "a.csv")))
      expect(error.reason).toMatchObject({ _tag: "FileFailed", code: "ENOTDIR" })
    }),
  )
})

it.effect("a link or a pipe under its name is not used, and nobody waits for it", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const [target, elsewhere] = [join(at, "a.csv"), join(at, "elsewhere")]
    const path = RecordFile.pathOf(target)
    spawnSync("mkfifo", [path])
    for (const using of [RecordFile.look(target), Effect.scoped(Effect.asVoid(open(target)))]) {
      expect((yield* Effect.flip(using)).reason).toMatchObject({ _tag: "NotOwn", path })
    }
    if (process.getuid?.() !== 0) return console.warn("SKIPPED: only root can make a link of another user.")
    yield* Effect.promise(async () => {
      await rm(path)
      await chmod(at, 0o777)
      await symlink(elsewhere, path)
      await lchown(path, 65_534, 65_534)
    })
    for (const using of [RecordFile.look(target), Effect.scoped(Effect.asVoid(open(target)))]) {
      expect((yield* Effect.flip(using)).reason).toMatchObject({ _tag: "NotOwn", path })
    }
    expect(yield* Effect.promise(() => readdir(at))).toEqual(["a.csv.part.records"])
  }),
)
