import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { unasked } from "../src/proof/Account.ts"
import * as RecordFile from "../src/RecordFile.ts"
import type { ReadingOptions, SourceOptions } from "../src/Source.ts"
import { pagesOf } from "../src/Source.ts"
import { folder, rejected } from "./fixtures/list.ts"

interface Item {
  readonly id: number
  readonly note?: unknown
}

/** A page whose answer holds `items`, and which brings `records` of them. */
const pageOf = (
  body: string,
  records: ReadonlyArray<Item>,
  more: {
    readonly number: number
    readonly rejected?: Page<Item>["rejected"]
    readonly wellEncoded?: boolean
  },
): Page<Item> => {
  const given = Fixtures.page(records, { rejected: more.rejected ?? [] })
  const summary = { ...given.summary, pages: more.number, rejected: more.rejected?.length ?? 0 }
  return {
    ...given,
    summary,
    checkpoint: { ...given.checkpoint, next: { type: "integer", text: String(more.number) }, summary },
    recorded: { body, wellEncoded: more.wellEncoded ?? true },
  }
}

type Options = SourceOptions<Item, string, never>

/** The pages of a source whose read brings these. What each read was told is added to `told`. */
const source = (
  file: RecordFile.RecordFile | null,
  pages: ReadonlyArray<Page<Item>>,
  { told = [], ...more }: Partial<Options> & { readonly told?: Array<ReadingOptions> } = {},
) =>
  Stream.runCollect(
    pagesOf<Item, string, never>({
      read: ({ known, ...options }) => {
        told.push(known === undefined ? options : { ...options, known: [...known] })
        return options.from?.next === null ? Stream.empty : Stream.fromIterable(pages).pipe(Stream.rechunk(1))
      },
      prove: true,
      file,
      table: 0,
      newValues: () => [],
      ...more,
    }),
  )

const opened = (target: string, resume: boolean) =>
  Effect.tap(
    RecordFile.make({ target, identity: {}, resume, startedAt: "2026-03-01T09:30:00.000Z" }),
    ({ writeHeader }) => writeHeader(unasked),
  )

/** Saves pages, and returns them as they are given when they come from the file, with what the read after them was told. */
const again = (pages: ReadonlyArray<Page<Item>>, more: Partial<Options> = {}) =>
  Effect.gen(function* () {
    const target = join(yield* folder, "a.csv")
    const live = yield* Effect.scoped(
      Effect.gen(function* () {
        const file = yield* opened(target, false)
        const given = yield* source(file, pages, more)
        yield* file.flush
        return given
      }),
    )
    const told: Array<ReadingOptions> = []
    const saved = yield* Effect.scoped(
      Effect.flatMap(opened(target, true), (file) => source(file, [], { ...more, told })),
    )
    const text = yield* Effect.promise(() => readFile(RecordFile.pathOf(target), "utf8"))
    return { live, saved, told, bodies: text.split("\n").filter((_, at) => at % 2 === 1) }
  })

const one = pageOf(
  '{"ok":true,"items":[{"id":3,"note":9007199254740993},{"id":2}]}',
  [{ id: 3, note: 9007199254740993n }, { id: 2 }],
  { number: 1 },
)
const repeating = pageOf('{"ok":true,"items":[{"id":2},{"id":1},{"id":1}]}', [{ id: 1 }], { number: 2 })

describe("pages from a record file", () => {
  it.effect("are those that were read: each id once, every digit", () =>
    Effect.gen(function* () {
      const { bodies, live, saved } = yield* again([one, repeating])
      expect(live.map(({ records }) => records)).toEqual([one.records, repeating.records])
      expect(saved).toEqual(live)
      expect(bodies.slice(0, 2)).toEqual([one.recorded?.body, repeating.recorded?.body])
    }),
  )

  it.effect("are followed by those of the read, which is told where it is and what is known", () =>
    Effect.gen(function* () {
      const { told } = yield* again([one, repeating])
      const from = repeating.checkpoint
      expect(told).toEqual([
        { record: false, prove: true, from: { ...from, next: null } },
        { record: true, prove: true, from, known: [3, 2, 1] },
      ])
    }),
  )

  it.effect("have no record that was rejected, on no page after the first such record", () =>
    Effect.gen(function* () {
      const items = '{"ok":true,"items":[{"id":2},{"id":7,"city":null}]}'
      const bad = pageOf(items, [{ id: 2 }], { number: 1, rejected: [rejected(7)] })
      // The same record again is rejected again, and not given again.
      const later = {
        ...pageOf('{"ok":true,"items":[{"id":7,"city":null},{"id":1}]}', [{ id: 1 }], { number: 2 }),
      }
      const counted = { ...later.checkpoint, summary: { ...later.summary, rejected: 1 } }
      const { live, saved } = yield* again([bad, { ...later, checkpoint: counted }])
      expect(saved).toEqual(live)
      expect(saved.map(({ records }) => records)).toEqual([[{ id: 2 }], [{ id: 1 }]])
      expect(saved[0]?.rejected).toEqual([rejected(7)])
    }),
  )

  it.effect(
    "are followed by a read that knows the rejected records too, and rejects none of them again",
    () =>
      Effect.gen(function* () {
        const items = '{"ok":true,"items":[{"id":3},{"id":7,"city":null},{"city":null}]}'
        const bad = [rejected(7), { ...rejected(8), id: null }]
        const { told } = yield* again([pageOf(items, [{ id: 3 }], { number: 1, rejected: bad })])
        expect(told.at(-1)?.known).toEqual([3, 7])
        const completePage: Options["completePage"] = ([first, ...others]) =>
          Effect.succeed({ records: others, rejected: [rejected(first!.id)], withoutData: 0 })
        const completed = yield* again([one], { completePage })
        expect(completed.told.at(-1)?.known).toEqual([2, 3])
      }),
  )

  it.effect("have no record that the read left out, as of a head that was looked at again", () =>
    Effect.gen(function* () {
      const head = pageOf('{"ok":true,"items":[{"id":9},{"id":3},{"id":2}]}', [], { number: 2 })
      const { live, saved, told } = yield* again([one, head])
      expect(saved).toEqual(live)
      expect(saved.map(({ records }) => records)).toEqual([one.records, []])
      expect(told.at(-1)?.known).toEqual([3, 2])
    }),
  )

  it.effect("whose answer had bytes that were not text have the records that were given", () =>
    Effect.gen(function* () {
      const body = '{"ok":true,"items":[{"id":2,"note":"\uFFFD"},{"id":1}]}'
      const { live, saved } = yield* again([pageOf(body, [{ id: 1 }], { number: 1, wellEncoded: false })])
      expect(saved).toEqual(live)
      expect(saved[0]?.records).toEqual([{ id: 1 }])
    }),
  )

  it.effect("hold what was requested for each record, and request nothing", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const completePage: Options["completePage"] = (records) =>
        Effect.sync(() => {
          asked.push(...records.map(({ id }) => id))
          return {
            records: [{ id: records[1]!.id, note: 9007199254740993n }],
            rejected: [rejected(records[0]!.id)],
            withoutData: 1,
          }
        })
      const { live, saved } = yield* again([one], { completePage })
      expect(asked).toEqual([3, 2])
      expect(saved).toEqual(live)
      expect(saved).toMatchObject([
        { records: [{ id: 2, note: 9007199254740993n }], rejected: [rejected(3)], withoutData: 1 },
      ])
    }),
  )

  it.effect("are not given to anybody when the read is refused, as that of another account is", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      yield* Effect.scoped(Effect.flatMap(opened(target, false), (file) => source(file, [one, repeating])))
      const file = yield* opened(target, true)
      let given = 0
      const pages = pagesOf<Item, string, never>({
        read: () => Stream.fail("another account"),
        prove: true,
        file,
        table: 0,
        newValues: () => [],
      })
      const error = yield* Effect.flip(Stream.runForEach(pages, () => Effect.sync(() => (given += 1))))
      expect([error, given]).toEqual(["another account", 0])
    }),
  )
})

describe("pages that are read", () => {
  it.effect("are in the file before they are passed on", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.csv")
      const file = yield* opened(target, false)
      const seen: Array<number> = []
      const pages = pagesOf<Item, string, never>({
        read: () => Stream.fromIterable([one, repeating]).pipe(Stream.rechunk(1)),
        prove: true,
        file,
        table: 0,
        newValues: () => [],
      })
      yield* Stream.runForEach(pages, () => Effect.map(file.flush, () => seen.push(file.pages())))
      expect(seen).toEqual([1, 2])
    }),
  )

  it.effect("are saved nowhere without a file", () =>
    Effect.gen(function* () {
      const told: Array<ReadingOptions> = []
      const given = yield* source(null, [one], { told })
      expect(given.map(({ records }) => records)).toEqual([one.records])
      expect(told).toEqual([{ record: false, prove: true }])
    }),
  )
})
