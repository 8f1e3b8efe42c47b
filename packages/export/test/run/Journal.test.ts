import { readFile, readdir, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { RecordedPage, RecordingOwner } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Journal from "../../src/run/Journal.ts"
import { identityOf } from "../../src/run/RunOptions.ts"
import { folder } from "../fixtures/list.ts"

const contracts: RecordingOwner = {
  origin: "https://service.example.test",
  keyFingerprint: "00112233445566ff",
  collection: "contracts",
  startedAt: "2026-03-01T09:30:00.000Z",
}
const keys: RecordingOwner = { ...contracts, collection: "api-keys" }

const pageOf = (body: string): RecordedPage => Fixtures.recordedPage(body)

const identity = { "contracts columns": "id status", headings: "labels" }
const startedAt = "2026-03-01T09:30:00.000Z"

const open = (target: string, options: Partial<Journal.JournalOptions> = {}) =>
  Journal.make({ target, identity, resume: false, startedAt, ...options })

const keep = (
  journal: Journal.Journal,
  job: number,
  bodies: ReadonlyArray<string>,
  completed: string | null = null,
) =>
  Effect.forEach(bodies, (body) =>
    journal.job(job).keep(job === 0 ? contracts : keys, pageOf(body), completed && `${completed} ${body}`),
  )

/** A journal with pages in it, closed. */
const filled = (target: string, options: Partial<Journal.JournalOptions> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const journal = yield* open(target, options)
      yield* keep(journal, 0, ["one", "two"])
      yield* keep(journal, 1, ["three"], "whole")
    }),
  )

/** The bodies of a job, from the first to the last, or as many as are asked for. */
const bodies = (job: Journal.JobJournal, most = Infinity) =>
  Effect.gen(function* () {
    const recording = yield* job.recording
    const found: Array<string> = []
    if (recording === null) return found
    while (found.length < most) {
      const page = yield* recording.next
      if (page === null) break
      found.push(page.body)
    }
    return found
  })

const read = (path: string) => Effect.promise(() => readFile(path))

const refusal = (target: string, options: Partial<Journal.JournalOptions> = {}) =>
  Effect.map(Effect.scoped(Effect.flip(open(target, options))), ({ reason }) => reason)

describe("a journal", () => {
  it.effect("is readable by its owner alone", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      expect((yield* Effect.promise(() => stat(`${target}.resume`))).mode & 0o777).toBe(0o600)
    }),
  )

  it.effect("gives each job its own pages again, in their order, and then none", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      const journal = yield* open(target, { resume: true, startedAt: "2026-03-02T00:00:00.000Z" })
      expect(journal).toMatchObject({ isResumed: true, startedAt })
      expect(yield* bodies(journal.job(0))).toEqual(["one", "two"])
      expect(yield* bodies(journal.job(1))).toEqual(["three"])
      expect(yield* journal.job(2).recording).toBeNull()
      expect(journal.pages()).toBe(3)
    }),
  )

  it.effect("gives the owner of a job's pages", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      const journal = yield* open(target, { resume: true })
      expect(yield* journal.job(1).recording).toBeNull()
      expect(yield* journal.job(0).recording).toMatchObject(contracts)
      yield* bodies(journal.job(0))
      expect(yield* journal.job(1).recording).toMatchObject(keys)
    }),
  )

  it.effect("gives the completed records of each page in turn, and null where none were kept", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      const journal = yield* open(target, { resume: true })
      expect(journal.job(0).completed()).toBeNull()
      yield* bodies(journal.job(0))
      expect([journal.job(0).completed(), journal.job(0).completed()]).toEqual([null, null])
      yield* bodies(journal.job(1))
      expect([journal.job(1).completed(), journal.job(1).completed()]).toEqual(["whole three", null])
    }),
  )

  it.effect("saves a page that came from it only once, and the next ones after it", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* Effect.scoped(Effect.flatMap(open(target), (journal) => keep(journal, 0, ["one", "two"])))
      const before = yield* read(`${target}.resume`)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* open(target, { resume: true })
          yield* bodies(journal.job(0))
          yield* keep(journal, 0, ["one", "two"])
          expect(journal.pages()).toBe(2)
          yield* keep(journal, 0, ["three"])
          yield* journal.flush
          expect(journal.pages()).toBe(3)
        }),
      )
      const after = yield* read(`${target}.resume`)
      expect(after.subarray(0, before.byteLength)).toEqual(before)
      const again = yield* open(target, { resume: true })
      expect(yield* bodies(again.job(0))).toEqual(["one", "two", "three"])
    }),
  )

  it.effect("loses nothing when it is gone through in part and closed", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      const before = yield* read(`${target}.resume`)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* open(target, { resume: true })
          expect(yield* bodies(journal.job(0), 1)).toEqual(["one"])
          yield* keep(journal, 0, ["one"])
          expect(journal.pages()).toBe(1)
        }),
      )
      expect(yield* read(`${target}.resume`)).toEqual(before)
    }),
  )

  it.effect("resumes after whatever is left of a half-written page", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.resume`
      yield* filled(target)
      const whole = yield* read(path)
      const lastPage = whole.lastIndexOf('{"requestId"')
      expect(lastPage).toBeGreaterThan(0)
      for (let size = whole.byteLength - 1; size >= lastPage; size -= 1) {
        yield* Effect.promise(() => writeFile(path, whole.subarray(0, size)))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const journal = yield* open(target, { resume: true })
            yield* bodies(journal.job(0))
            expect(yield* bodies(journal.job(1))).toEqual([])
            yield* keep(journal, 1, ["three"], "whole")
          }),
        )
        expect((yield* read(path)).equals(whole), `cut to ${size} bytes`).toBe(true)
      }
    }),
  )

  it.effect("lets what follows a damaged page not come back behind a new one", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.resume`
      yield* filled(target)
      const whole = yield* read(path)
      whole.write("x", whole.indexOf("\none") + 1)
      yield* Effect.promise(() => writeFile(path, whole))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* open(target, { resume: true })
          expect(yield* bodies(journal.job(0))).toEqual([])
          yield* keep(journal, 0, ["1"])
        }),
      )
      const again = yield* open(target, { resume: true })
      expect(yield* bodies(again.job(0))).toEqual(["1"])
      expect(yield* bodies(again.job(1))).toEqual([])
    }),
  )

  it.effect("starts over unless it is to resume", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* filled(target)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* open(target, { startedAt: "2026-03-02T00:00:00.000Z" })
          expect(journal).toMatchObject({ isResumed: false, startedAt: "2026-03-02T00:00:00.000Z" })
          expect(yield* journal.job(0).recording).toBeNull()
        }),
      )
      expect(yield* Journal.look(target)).toMatchObject({ pages: 0, startedAt: "2026-03-02T00:00:00.000Z" })
    }),
  )

  it.effect("is a new one where there is none, or an empty file, to resume", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      for (const prepare of [Effect.void, Effect.promise(() => truncate(`${target}.resume`))]) {
        yield* prepare
        yield* Effect.scoped(
          Effect.gen(function* () {
            const journal = yield* open(target, { resume: true })
            expect(journal.isResumed).toBe(false)
            yield* keep(journal, 0, ["one"])
          }),
        )
        expect(yield* Journal.look(target)).toMatchObject({ pages: 1 })
      }
    }),
  )

  it.effect("holds texts of any script in what it must have in common", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const greek = { identity: { "contracts filters": "listing.city=Αθήνα & unit_label~\u{1F3E0}" } }
      yield* filled(target, greek)
      const journal = yield* open(target, { ...greek, resume: true })
      expect(yield* bodies(journal.job(0))).toEqual(["one", "two"])
      expect(yield* bodies(journal.job(1))).toEqual(["three"])
    }),
  )

  it.effect("is gone when it was dropped, also when it is dropped twice", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const journal = yield* open(join(at, "a.csv"))
      yield* keep(journal, 0, ["one"])
      yield* Effect.andThen(journal.drop, journal.drop)
      expect(yield* Effect.promise(() => readdir(at))).toEqual([])
    }),
  )
})

describe("a journal is refused, and stays as it was", () => {
  it.effect("while a run writes it", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.resume`
      yield* filled(target)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open(target, { resume: true })
          const before = yield* read(path)
          for (const resume of [true, false]) {
            expect(yield* refusal(target, { resume })).toEqual({ _tag: "RunUnderWay", path })
          }
          expect(yield* Journal.look(target)).toMatchObject({ pages: 3, isRunning: true })
          expect(yield* read(path)).toEqual(before)
        }),
      )
      expect(yield* Journal.look(target)).toMatchObject({ pages: 3, isRunning: false })
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
                return Effect.promise(() => stat(`${target}.resume`).finally(() => (running -= 1)))
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

  const others: ReadonlyArray<readonly [field: string, identity: Journal.JournalOptions["identity"]]> = [
    ["contracts columns", { ...identity, "contracts columns": "id" }],
    ["headings", { ...identity, headings: "api" }],
    ["headings", { "contracts columns": "id status" }],
    ["keys columns", { ...identity, "keys columns": "id" }],
  ]
  for (const [field, other] of others) {
    it.effect(`when it is to resume and the ${field} differ: ${Object.keys(other).join(", ")}`, () =>
      Effect.gen(function* () {
        const target = join(yield* folder, "a.csv")
        const path = `${target}.resume`
        yield* filled(target)
        const before = yield* read(path)
        expect(yield* refusal(target, { resume: true, identity: other })).toEqual({
          _tag: "ResumeRefused",
          path,
          field,
        })
        expect(yield* read(path)).toEqual(before)
        const journal = yield* open(target, { resume: true })
        expect(yield* bodies(journal.job(0))).toEqual(["one", "two"])
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
        const path = `${target}.resume`
        yield* Effect.promise(() => writeFile(path, content))
        for (const resume of [true, false]) {
          const isNewer = what === "a header of a newer version"
          expect(yield* refusal(target, { resume })).toEqual({ _tag: "JournalUnreadable", path, isNewer })
        }
        expect(yield* Journal.look(target)).toBeNull()
        expect((yield* read(path)).toString()).toBe(content)
      }),
    )
  }
})

describe("a look at a journal", () => {
  it.effect("finds nothing where there is nothing, and makes nothing", () =>
    Effect.gen(function* () {
      const at = yield* folder
      expect(yield* Journal.look(join(at, "a.csv"))).toBeNull()
      expect(yield* Effect.promise(() => readdir(at))).toEqual([])
    }),
  )

  it.effect("counts the whole pages, and says whether files were about to get their names", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const path = `${target}.resume`
      yield* filled(target)
      const leftover = { path, startedAt, pages: 3, isRunning: false, isNaming: false }
      expect(yield* Journal.look(target)).toEqual(leftover)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* open(target, { resume: true })
          yield* Effect.andThen(bodies(journal.job(0)), bodies(journal.job(1)))
          yield* journal.naming
        }),
      )
      expect(yield* Journal.look(target)).toEqual({ ...leftover, isNaming: true })
    }),
  )

  it.effect("says what failed", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "missing")
      yield* Effect.promise(() => writeFile(path, ""))
      const error = yield* Effect.flip(Journal.look(join(path, "a.csv")))
      expect(error.reason).toMatchObject({ _tag: "FileFailed", code: "ENOTDIR" })
    }),
  )
})
