import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import type { Page } from "@deedkit/core"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { RunOptions } from "../../src/run.ts"
import { run } from "../../src/run.ts"
import { job } from "../../src/run.ts"
import type { TableWriter } from "../../src/write/TableWriter.ts"
import { book } from "../fixtures/book.ts"
import type { Row } from "../fixtures/list.ts"
import { readFirstLine } from "../fixtures/otherPrograms.ts"
import { folder, rejected, lines, page, rows } from "../fixtures/list.ts"

const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const list = (path: string) => Effect.promise(() => readdir(path))
const write = (path: string, content: string, mode = 0o644) =>
  Effect.promise(() => writeFile(path, content, { mode }))

interface Choice extends Omit<Partial<RunOptions<never, never>>, "jobs" | "outputs"> {
  readonly writer?: TableWriter
}

const exporting = <E>(
  target: string,
  pages: Stream.Stream<Page<Row>, E>,
  { writer = lines, ...options }: Choice = {},
) => run({ jobs: [job({ table: rows, pages: () => pages })], outputs: [{ writer, target }], ...options })

const refusal = <E>(...parameters: Parameters<typeof exporting<E>>) => Effect.flip(exporting(...parameters))

const twoPages = Stream.make(page([3, 2], { complete: false }), page([1], { number: 2 }))

/** A read that must not begin. */
const noRequest = Stream.fromEffect(Effect.die("a page was asked for"))

describe("a finished run", () => {
  it.effect("leaves the file, and says what is in it", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.txt")
      const result = yield* exporting(target, twoPages)
      expect(yield* list(at)).toEqual(["a.txt", "a.txt.manifest.json"])
      expect(yield* read(target)).toBe("Id\n3\n2\n1\n")
      expect(result).toMatchObject({ paths: [target], rejected: null, longTexts: null })
      expect(result.manifest).toMatchObject({
        verdict: "complete",
        origin: "https://service.example.test",
        tables: [{ table: "rows", columns: ["id"], rows: 3, reading: { pages: 2, complete: true } }],
        files: [
          {
            name: "a.txt",
            format: "lines",
            tables: { rows: 3 },
            bytes: 9,
            sha256: createHash("sha256").update("Id\n3\n2\n1\n").digest("hex"),
          },
        ],
        textsChanged: {},
      })
      expect(JSON.parse(yield* read(`${target}.manifest.json`))).toEqual(result.manifest)
    }),
  )

  it.effect("passes the choice of headings on, and adds up changed texts", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.txt")
      const writer: TableWriter = {
        ...lines,
        open: (options) => {
          options.onTextsChanged?.({ column: "id", cells: 2 })
          options.onTextsChanged?.({ column: "id", cells: 1 })
          return lines.open(options)
        },
      }
      const result = yield* exporting(target, Stream.make(page([])), { headings: "api", writer })
      expect(yield* read(target)).toBe("id\n")
      expect(result.manifest.textsChanged).toEqual({ lines: { id: 3 } })
    }),
  )

  it.effect("replaces a file behind a symbolic link, and keeps link and mode", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.promise(() => mkdir(join(at, "real")))
      const real = join(at, "real", "a.txt")
      yield* write(real, "old", 0o600)
      yield* Effect.promise(() => symlink(real, join(at, "link")))
      const result = yield* exporting(join(at, "link"), twoPages, { overwrite: true })
      expect(result.paths).toEqual([real])
      expect(yield* read(real)).toBe("Id\n3\n2\n1\n")
      expect((yield* Effect.promise(() => stat(real))).mode & 0o777).toBe(0o600)
      expect((yield* Effect.promise(() => lstat(join(at, "link")))).isSymbolicLink()).toBe(true)
      expect(yield* list(join(at, "real"))).toEqual(["a.txt", "a.txt.manifest.json"])
    }),
  )

  it.effect("writes to standard output and leaves it open", () =>
    Effect.gen(function* () {
      const stdout = new PassThrough()
      const result = yield* exporting("-", twoPages, { stdout })
      expect(result.paths).toEqual([null])
      stdout.end()
      expect(yield* Effect.promise(() => text(stdout))).toBe("Id\n3\n2\n1\n")
    }),
  )
})

describe("before the first request", () => {
  it.effect("an existing file is refused, and stays", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "a.txt")
      yield* write(path, "old")
      expect((yield* refusal(path, noRequest)).reason).toEqual({ _tag: "TargetExists", path })
      expect(yield* read(path)).toBe("old")
    }),
  )

  it.effect("a missing folder is refused", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const error = yield* refusal(join(at, "missing", "a.txt"), noRequest)
      expect(error.reason).toEqual({ _tag: "TargetFolderMissing", folder: join(at, "missing") })
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("the rejected of an earlier run are refused", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "a.txt.rejected.ndjson")
      yield* write(path, "old")
      const error = yield* refusal(path.replace(".rejected.ndjson", ""), noRequest)
      expect(error.reason).toEqual({ _tag: "TargetExists", path })
    }),
  )
})

describe("a run that does not finish", () => {
  it.effect("leaves no file when a page fails, and passes the read's own error on", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const pages = Stream.concat(
        Stream.make(page([3], { complete: false })),
        Stream.fail("offline" as const),
      )
      expect(yield* refusal(join(at, "a.txt"), pages)).toBe("offline")
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("leaves an older file as it was", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* write(join(at, "a.txt"), "old")
      const pages = Stream.concat(
        Stream.make(page([3], { complete: false, rejected: [rejected(9)] })),
        Stream.fail("offline" as const),
      )
      yield* refusal(join(at, "a.txt"), pages, { overwrite: true })
      expect(yield* list(at)).toEqual(["a.txt"])
      expect(yield* read(join(at, "a.txt"))).toBe("old")
    }),
  )

  it.effect("leaves no file when it is interrupted", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const waiting = yield* Deferred.make<void>()
      const pages = Stream.concat(
        Stream.make(page([3], { complete: false, rejected: [rejected(9)] })),
        Stream.fromEffect(Effect.andThen(Deferred.succeed(waiting, undefined), Effect.never)),
      )
      const running = yield* Effect.forkChild(exporting(join(at, "a.txt"), pages))
      yield* Deferred.await(waiting)
      const parts = (yield* list(at)).filter((name) => name.endsWith(".part"))
      expect(parts).toHaveLength(2)
      yield* Fiber.interrupt(running)
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("gives no name to pages that end without the service saying so", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.txt")
      const error = yield* refusal(target, Stream.make(page([3, 2], { complete: false })))
      expect(error.reason).toEqual({ _tag: "ReadIncomplete", target, pages: 1, records: 2 })
      expect((yield* refusal(target, Stream.empty)).reason).toMatchObject({
        _tag: "ReadIncomplete",
        pages: 0,
      })
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("fails at the first write to a full disk", () =>
    Effect.gen(function* () {
      let pages = 0
      const endless = Stream.forever(
        Stream.sync(() => {
          pages += 1
          return page([1], { complete: false })
        }),
      )
      const error = yield* refusal("/dev/full", endless)
      expect(error.reason).toEqual({ _tag: "DiskFull", path: "/dev/full" })
      expect(pages).toBeLessThan(2)
    }),
  )

  it("ends cleanly when the reader of the process's standard output goes away", () => {
    const script = join(import.meta.dirname, "..", "fixtures", "endless.ts")
    const command = '"$1" --conditions=@deedkit/source "$2" | "$1" -e "$3"'
    const { stderr, stdout } = spawnSync(
      "sh",
      ["-c", command, "sh", process.execPath, script, readFirstLine[1]!],
      {
        encoding: "utf8",
      },
    )
    expect(stdout).toBe("Id\n")
    expect(stderr).toBe("SinkClosed\n")
  })
})

describe("records that are not as specified", () => {
  it.effect("are saved whole in a sidecar, and the others written", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.txt")
      const pages = Stream.make(
        page([3], { complete: false, rejected: [rejected(9)] }),
        page([1], { number: 2, rejected: [rejected(8)] }),
      )
      const result = yield* exporting(target, pages)
      expect(yield* read(target)).toBe("Id\n3\n1\n")
      const kept = (yield* read(`${target}.rejected.ndjson`)).trimEnd().split("\n")
      expect(kept).toHaveLength(2)
      expect(kept[0]).toContain('"raw":{"id":9,"reference":9007199254740993}')
      expect(result.rejected).toEqual({
        path: `${target}.rejected.ndjson`,
        records: 2,
        members: [{ path: "listing.city", expected: "string", found: "nothing", records: 2 }],
      })
      expect((yield* list(at)).toSorted()).toEqual(["a.txt", "a.txt.manifest.json", "a.txt.rejected.ndjson"])
      expect(result.manifest).toMatchObject({
        verdict: "partial",
        rejected: { name: "a.txt.rejected.ndjson", records: 2 },
      })
    }),
  )

  for (const first of [[rejected(9)], []]) {
    it.effect(`are in the note of their table, on its first page: ${first.length}`, () =>
      Effect.gen(function* () {
        const notes: Array<string> = []
        const writer: TableWriter = {
          ...book,
          open: (options) =>
            Effect.map(book.open(options), (file) => ({
              ...file,
              sheet: (table, sheet) =>
                Effect.map(file.sheet(table, sheet), ({ add, end }) => ({
                  add,
                  end: Effect.andThen(
                    Effect.sync(() => notes.push(sheet?.note?.() ?? "")),
                    end,
                  ),
                })),
            })),
        }
        const pages = Stream.make(page([3], { complete: false, rejected: first }), page([1], { number: 2 }))
        const { manifest } = yield* exporting(join(yield* folder, "a.txt"), pages, { writer })
        expect(notes).toEqual([expect.stringMatching(new RegExp(` · ${manifest.verdict}$`))])
        expect(manifest.verdict).toBe(first.length === 0 ? "complete" : "partial")
      }),
    )
  }

  it.effect("of an earlier run do not stay beside a file that has none", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* write(join(at, "a.txt"), "old")
      yield* write(join(at, "a.txt.rejected.ndjson"), "old")
      yield* exporting(join(at, "a.txt"), twoPages, { overwrite: true })
      expect(yield* list(at)).toEqual(["a.txt", "a.txt.manifest.json"])
    }),
  )

  it.effect("stop the run when they are too many", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const ids = Array.from({ length: 38 }, (_, index) => index + 1)
      const pages = Stream.make(page(ids, { rejected: [rejected(97), rejected(98), rejected(99)] }))
      const error = yield* refusal(join(at, "a.txt"), pages)
      expect(error.reason).toMatchObject({ _tag: "TooManyRejected", rejected: 3, seen: 41 })
      expect(yield* list(at)).toEqual([])
      const result = yield* exporting(join(at, "a.txt"), pages, { rejectionLimits: { share: 0.1 } })
      expect(result.rejected?.records).toBe(3)
    }),
  )

  it.effect("stop the run when they are too many of the records of all tables, and not of the last one", () =>
    Effect.gen(function* () {
      const twoTables = (target: string, records: number, second: number) => {
        const bad = (count: number) => Array.from({ length: count }, (_, at) => rejected(10_000 + at))
        const jobs = [
          { name: "contracts", count: records, bad: bad(30) },
          { name: "keys", count: 24, bad: bad(second) },
        ].map(({ bad: those, count, name }) => {
          const ids = Array.from({ length: count }, (_, at) => at + 1)
          return job({ table: { ...rows, name }, pages: () => Stream.make(page(ids, { rejected: those })) })
        })
        return run({ jobs, outputs: [{ writer: book, target }] })
      }
      const at = yield* folder
      const { rejected: kept } = yield* twoTables(join(at, "a.book"), 1_000, 1)
      expect(kept?.records).toBe(31)
      const error = yield* Effect.flip(twoTables(join(at, "b.book"), 600, 5))
      expect(error.reason).toMatchObject({ _tag: "TooManyRejected", rejected: 35, seen: 659 })
    }),
  )

  it.effect("stop a run whose target is not a file", () =>
    Effect.gen(function* () {
      const stdout = new PassThrough()
      const error = yield* refusal("-", Stream.make(page([1], { rejected: [rejected(9)] })), { stdout })
      expect(error.reason).toMatchObject({ _tag: "RejectedHaveNoFile", target: "-", id: 9 })
    }),
  )
})

it.effect("asks for a page only when the one before is written", () =>
  Effect.gen(function* () {
    const target = join(yield* folder, "a.txt")
    const order: Array<string> = []
    const pages = Stream.rechunk(Stream.range(1, 3), 1).pipe(
      Stream.map((number) => {
        order.push(`page ${number}`)
        return page([number], { number, complete: number === 3 })
      }),
    )
    const writer: TableWriter = {
      ...lines,
      open: ({ write: put, ...options }) =>
        lines.open({
          ...options,
          write: (chunk) => {
            order.push("chunk")
            return put(chunk)
          },
        }),
    }
    yield* exporting(target, pages, { writer })
    expect(order).toEqual(["page 1", "chunk", "page 2", "chunk", "page 3", "chunk"])
  }),
)
