import { existsSync } from "node:fs"
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { ExportError } from "../../src/error/ExportError.ts"
import { job, run } from "../../src/run.ts"
import { ndjson } from "../../src/formats/Json.ts"
import { namingLine } from "../../src/RecordFile.ts"
import type { RunOptions } from "../../src/run.ts"
import type { Table } from "../../src/table/Table.ts"
import type { TableWriter } from "../../src/write/TableWriter.ts"
import { book, bookOf } from "../fixtures/book.ts"
import { faulty, steps } from "../fixtures/faulty.ts"
import { jobOf } from "../fixtures/resumable.ts"
import type { Row } from "../fixtures/list.ts"
import { folder, rejected, rows } from "../fixtures/list.ts"

const list = (path: string) =>
  Effect.map(
    Effect.promise(() => readdir(path)),
    (names) => names.toSorted(),
  )
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const write = (path: string, content: string) => Effect.promise(() => writeFile(path, content))

const ids = [[5, 4], [3], [2, 1]]
const whole = {
  "a.ndjson": [5, 4, 3, 2, 1].map((id) => `{"id":${id}}\n`).join(""),
  "b.book": "# Rows (first)\n5\n4\n3\n2\n1\nend\nthe end\n",
}

interface Choice extends Omit<Partial<RunOptions<never, never>>, "jobs" | "outputs"> {
  readonly asked?: Array<number>
  readonly failsAt?: number
}

/** A run to a book and to lines beside it; the book is the second. */
const exporting = (at: string, writer: TableWriter, { asked = [], failsAt, ...options }: Choice = {}) =>
  run({
    jobs: [jobOf(ids, { asked, failsAt })],
    outputs: [
      { writer: ndjson, target: join(at, "a.ndjson") },
      { writer, target: join(at, "b.book") },
    ],
    ...options,
  })

const older = (at: string) =>
  Effect.andThen(write(join(at, "a.ndjson"), "old lines"), write(join(at, "b.book"), "old book"))

/** Older files as they were, no part of new ones, and the record file. */
const expectOlder = (at: string) =>
  Effect.gen(function* () {
    expect(yield* list(at)).toEqual([
      "a.ndjson",
      "a.ndjson.interrupted.json",
      "a.ndjson.part.records",
      "b.book",
    ])
    expect(yield* read(join(at, "a.ndjson"))).toBe("old lines")
    expect(yield* read(join(at, "b.book"))).toBe("old book")
  })

const manifests = ["a.ndjson.manifest.json", "b.book.manifest.json"]

const expectWhole = (at: string) =>
  Effect.gen(function* () {
    expect(yield* list(at)).toEqual([...Object.keys(whole), ...manifests].toSorted())
    for (const [name, content] of Object.entries(whole)) expect(yield* read(join(at, name))).toBe(content)
  })

const failed = new ExportError({ reason: { _tag: "TooManyRows", format: "book", maxRows: 1 } })

describe("a writer that fails", () => {
  for (const [step, kept] of steps) {
    it.effect(`when it ${step} leaves older files and a record file with ${kept} of the pages`, () =>
      Effect.gen(function* () {
        const at = yield* folder
        yield* older(at)
        const leftovers: Array<unknown> = []
        const onLeftover = (left: unknown) => void leftovers.push(left)
        const bad = faulty(step, Effect.fail(failed))
        expect(yield* Effect.flip(exporting(at, bad, { overwrite: true, onLeftover }))).toBe(failed)
        yield* expectOlder(at)
        expect(leftovers).toEqual([{ path: join(at, "a.ndjson.part.records"), pages: kept }])
        const asked: Array<number> = []
        const result = yield* exporting(at, book, { overwrite: true, resume: true, asked })
        expect(asked).toEqual([1, 2, 3].slice(kept))
        expect(result.manifest).toMatchObject({ verdict: "complete", isResumed: true })
        yield* expectWhole(at)
      }),
    )
  }

  it.effect("leaves nothing when the failure is not worth resuming", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const bad = faulty("adds page 3", Effect.fail(failed))
      const errors: Array<unknown> = []
      const isWorthResuming = (error: unknown) => {
        errors.push(error)
        return false
      }
      yield* Effect.flip(exporting(at, bad, { isWorthResuming }))
      expect(errors).toEqual([failed])
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("leaves nothing when nothing is to be kept", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, faulty("ends the file", Effect.fail(failed)), { keepsRecords: false }))
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("by dying leaves the same as one that fails", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* older(at)
      const bad = faulty("adds page 2", Effect.die(new TypeError("a mistake")))
      const exit = yield* Effect.exit(exporting(at, bad, { overwrite: true }))
      expect(exit._tag).toBe("Failure")
      yield* expectOlder(at)
    }),
  )
})

describe("the files of a run that failed", () => {
  const statesOf = (at: string, writer: TableWriter, choice: Choice = {}) =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const onFailure: Choice["onFailure"] = (files) => void told.push(files)
      yield* Effect.flip(exporting(at, writer, { ...choice, onFailure }))
      return told
    })
  const bad = faulty("adds page 2", Effect.fail(failed))

  it.effect("were not replaced where there were older ones, and are absent where there were none", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [a, b] = [join(at, "a.ndjson"), join(at, "b.book")]
      expect(yield* statesOf(at, bad)).toEqual([
        [
          { path: a, state: "absent" },
          { path: b, state: "absent" },
        ],
      ])
      yield* write(a, "old lines")
      expect(yield* statesOf(at, bad, { overwrite: true })).toEqual([
        [
          { path: a, state: "kept" },
          { path: b, state: "absent" },
        ],
      ])
      expect(yield* read(a)).toBe("old lines")
    }),
  )

  it.effect("are written as far as they have their names", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [a, b] = [join(at, "a.ndjson"), join(at, "b.book")]
      yield* write(a, "old lines")
      const blocking: TableWriter = {
        ...book,
        open: (options) =>
          Effect.andThen(
            Effect.promise(() => mkdir(join(b, "in the way"), { recursive: true })),
            book.open(options),
          ),
      }
      expect(yield* statesOf(at, blocking, { overwrite: true })).toEqual([
        [
          { path: a, state: "written" },
          { path: b, state: "absent" },
        ],
      ])
      expect(yield* read(a)).toBe(whole["a.ndjson"])
    }),
  )

  it.effect("are not spoken of when a target was refused", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* write(join(at, "b.book"), "theirs")
      expect(yield* statesOf(at, book)).toEqual([])
    }),
  )
})

describe("a run that is interrupted", () => {
  for (const [step, kept] of steps) {
    it.effect(`while its writer ${step} leaves older files and a record file with ${kept} of the pages`, () =>
      Effect.gen(function* () {
        const at = yield* folder
        yield* older(at)
        const reached = yield* Deferred.make<void>()
        const endless = faulty(step, Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        const running = yield* Effect.forkChild(exporting(at, endless, { overwrite: true }))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(running)
        yield* expectOlder(at)
        const interrupted = JSON.parse(yield* read(join(at, "a.ndjson.interrupted.json")))
        expect(interrupted).toMatchObject({
          verdict: "interrupted",
          reasons: [
            "The run was interrupted.",
            ...(kept === 3 ? [] : [expect.stringContaining("broke off")]),
          ],
          files: [],
        })
        const asked: Array<number> = []
        yield* exporting(at, book, { overwrite: true, resume: true, asked })
        expect(asked).toEqual([1, 2, 3].slice(kept))
        yield* expectWhole(at)
      }),
    )
  }

  it.effect("while its files get their names has left nothing to resume", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const left: Array<string> = []
      const options = { onLeftover: ({ path }: { path: string }) => left.push(path) }
      const running = yield* Effect.forkChild(exporting(at, book, options))
      while (!existsSync(join(at, "a.ndjson"))) yield* Effect.promise(() => setImmediate())
      yield* Fiber.interrupt(running)
      expect(left).toEqual([])
      expect(yield* list(at)).toEqual([
        "a.ndjson",
        "a.ndjson.manifest.json",
        "b.book",
        "b.book.manifest.json",
      ])
      for (const [name, content] of Object.entries(whole)) {
        expect(yield* read(join(at, name))).toBe(content)
      }
    }),
  )

  it.effect("while it goes through the pages that were kept loses none of them", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, book, { failsAt: 3 }))
      for (const step of ["opens the file", "adds page 1", "adds page 2"] as const) {
        const reached = yield* Deferred.make<void>()
        const endless = faulty(step, Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        const running = yield* Effect.forkChild(exporting(at, endless, { resume: true }))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(running)
      }
      const asked: Array<number> = []
      yield* exporting(at, book, { resume: true, asked })
      expect(asked).toEqual([3])
      yield* expectWhole(at)
    }),
  )
})

describe("a resumed run", () => {
  it.effect(
    "and fails again at every page in turn comes to its end, and asks for each page that it lacks",
    () =>
      Effect.gen(function* () {
        const at = yield* folder
        const asked: Array<number> = []
        for (const failsAt of [1, 1, 2, 2, 3]) {
          expect(yield* Effect.flip(exporting(at, book, { resume: true, failsAt, asked }))).toBe("offline")
        }
        yield* exporting(at, book, { resume: true, asked })
        expect(asked).toEqual([1, 1, 1, 2, 2, 2, 3, 3])
        yield* expectWhole(at)
      }),
  )

  it.effect("keeps what was kept when it fails before it has gone through any of it", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, book, { failsAt: 3 }))
      const before = yield* read(join(at, "a.ndjson.interrupted.json"))
      yield* Effect.flip(
        run({
          jobs: [job({ table: rows, pages: () => Stream.fail(failed) })],
          outputs: [
            { writer: ndjson, target: join(at, "a.ndjson") },
            { writer: book, target: join(at, "b.book") },
          ],
          resume: true,
        }),
      )
      expect(yield* read(join(at, "a.ndjson.interrupted.json"))).toBe(before)
      const asked: Array<number> = []
      yield* exporting(at, book, { resume: true, asked })
      expect(asked).toEqual([3])
    }),
  )

  it.effect("rejects and moves what an unbroken one does, line by line", () =>
    Effect.gen(function* () {
      const outputsOf = (at: string) => [
        { writer: bookOf({ maxTextLength: 9 }), target: join(at, "a.book") },
        { writer: ndjson, target: join(at, "a.ndjson") },
      ]
      const get = ({ id }: Row) => (id % 2 === 0 ? `a text of ${id}` : "short")
      const table: Table<Row> = { ...rows, columns: [{ name: "id", label: "Id", kind: "text", get }] }
      const going = (at: string, options: { readonly failsAt?: number; readonly resume?: boolean }) =>
        run({
          jobs: [
            jobOf(ids, { table, failsAt: options.failsAt, more: { rejected: [rejected(7), rejected(8)] } }),
          ],
          outputs: outputsOf(at),
          rejectionLimits: { share: 1 },
          resume: options.resume,
        })
      const [unbroken, at] = [yield* folder, yield* folder]
      const result = yield* going(unbroken, {})
      expect(result).toMatchObject({ rejected: { records: 6 }, longTexts: { texts: 2 } })
      for (const failsAt of [2, 3]) yield* Effect.flip(going(at, { failsAt, resume: true }))
      yield* going(at, { resume: true })
      expect(yield* list(at)).toEqual(yield* list(unbroken))
      for (const name of ["a.book", "a.ndjson", "a.book.rejected.ndjson", "a.book.texts.ndjson"]) {
        expect(yield* read(join(at, name))).toBe(yield* read(join(unbroken, name)))
      }
    }),
  )

  it.effect("may have other columns, filters and formats, and asks for no page again", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, book, { failsAt: 3 }))
      const asked: Array<number> = []
      const get = ({ id }: Row) => `no. ${id}`
      const table: Table<Row> = { ...rows, columns: [{ name: "number", label: "Number", kind: "text", get }] }
      const filter = { keeps: ({ id }: Row) => id % 2 === 1, texts: ["id is odd"] }
      const { manifest } = yield* run({
        jobs: [jobOf(ids, { asked, table, filter })],
        outputs: [
          { writer: bookOf(), target: join(at, "a.ndjson") },
          { writer: ndjson, target: join(at, "c.ndjson") },
        ],
        resume: true,
      })
      expect(asked).toEqual([3])
      expect(manifest).toMatchObject({ verdict: "complete", isResumed: true, tables: [{ rows: 3 }] })
      expect(yield* read(join(at, "a.ndjson"))).toBe(
        '# Rows (first)\n"no. 5"\n"no. 3"\n"no. 1"\nend\nthe end\n',
      )
      expect(yield* read(join(at, "c.ndjson"))).toBe(
        '{"number":"no. 5"}\n{"number":"no. 3"}\n{"number":"no. 1"}\n',
      )
    }),
  )

  it.effect("names what an earlier part has seen as new, once", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const seen: Array<string> = []
      const newValues = () => seen
      seen.push("deposit (object)")
      yield* Effect.flip(exporting(at, book, { failsAt: 3, newValues }))
      seen.splice(0, 1, "status (suspended)")
      const { manifest } = yield* exporting(at, book, { resume: true, newValues })
      expect(manifest.newValues).toEqual(["deposit (object)", "status (suspended)"])
    }),
  )

  it.effect("may replace the files of one that was killed while it named them, and asks for nothing", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, faulty("ends the file", Effect.fail(failed))))
      const [a, b] = [join(at, "a.ndjson"), join(at, "b.book")]
      yield* Effect.promise(() => appendFile(`${a}.part.records`, namingLine([a, b])))
      yield* write(a, whole["a.ndjson"])
      // Also after it was cut off once more, before it named them.
      for (const step of ["opens the file", "ends the file"] as const) {
        yield* Effect.flip(exporting(at, faulty(step, Effect.fail(failed)), { resume: true }))
      }
      const asked: Array<number> = []
      yield* exporting(at, book, { resume: true, asked })
      expect(asked).toEqual([])
      yield* expectWhole(at)
    }),
  )

  it.effect("may replace no other file than those that the killed one named", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const a = join(at, "a.ndjson")
      yield* Effect.flip(exporting(at, faulty("ends the file", Effect.fail(failed))))
      yield* Effect.promise(() => appendFile(`${a}.part.records`, namingLine([a])))
      yield* write(a, whole["a.ndjson"])
      yield* write(join(at, "b.book"), "theirs")
      const error = yield* Effect.flip(exporting(at, book, { resume: true }))
      expect(error).toMatchObject({ reason: { _tag: "TargetExists", path: join(at, "b.book") } })
      expect(yield* read(join(at, "b.book"))).toBe("theirs")
    }),
  )

  it.effect("may replace no file when the one before was cut off earlier", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, book, { failsAt: 3 }))
      yield* write(join(at, "b.book"), "theirs")
      const error = yield* Effect.flip(exporting(at, book, { resume: true }))
      expect(error).toMatchObject({ reason: { _tag: "TargetExists", path: join(at, "b.book") } })
      expect(yield* read(join(at, "b.book"))).toBe("theirs")
      expect(yield* list(at)).toContain("a.ndjson.part.records")
    }),
  )

  it.effect("has nothing to resume when another run to the same files finished", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.flip(exporting(at, book, { failsAt: 3 }))
      yield* exporting(at, book)
      yield* expectWhole(at)
      const asked: Array<number> = []
      const result = yield* exporting(at, book, { resume: true, overwrite: true, asked })
      expect(asked).toEqual([1, 2, 3])
      expect(result.manifest.isResumed).toBe(false)
    }),
  )

  it.effect("is one that begins anew when nothing was kept", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* exporting(at, book, { resume: true })
      yield* expectWhole(at)
    }),
  )
})

describe("a file that came while the run continued", () => {
  for (const name of ["a.ndjson", "b.book"]) {
    it.effect(`is not replaced, and the run can be resumed: ${name}`, () =>
      Effect.gen(function* () {
        const at = yield* folder
        const path = join(at, name)
        const coming: TableWriter = {
          ...book,
          open: (options) => Effect.andThen(write(path, "theirs"), book.open(options)),
        }
        const error = yield* Effect.flip(exporting(at, coming))
        expect(error).toMatchObject({ reason: { _tag: "TargetExists", path } })
        expect(yield* read(path)).toBe("theirs")
        expect(yield* list(at)).toContain("a.ndjson.part.records")
        const asked: Array<number> = []
        yield* exporting(at, book, { resume: true, overwrite: true, asked })
        expect(asked).toEqual([])
        yield* expectWhole(at)
      }),
    )
  }
})
