import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ExportError } from "../../src/error/ExportError.ts"
import type { FileWriter, TableWriter } from "../../src/write/TableWriter.ts"
import { bytes, unlimited } from "../../src/write/TableWriter.ts"
import { ofBytes } from "../../src/write/TextBytes.ts"
import { lines, rows } from "../fixtures/list.ts"

const decoded = <E>(stream: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(stream), (chunks) => chunks.map((chunk) => new TextDecoder().decode(chunk)))

const ids = (...values: ReadonlyArray<number>) => values.map((id) => ({ id }))

describe("the bytes of a table", () => {
  it.effect("are a chunk a page, headings with the first", () =>
    Effect.gen(function* () {
      const pages = Stream.make(ids(1), ids(2, 3))
      expect(yield* decoded(bytes(lines, rows, pages))).toEqual(["Id\n1\n", "2\n3\n"])
      expect(yield* decoded(bytes(lines, rows, pages, { headings: "api" }))).toEqual(["id\n1\n", "2\n3\n"])
    }),
  )

  it.effect("are a whole file each time the stream runs", () =>
    Effect.gen(function* () {
      const stream = bytes(lines, rows, Stream.make(ids(1)))
      expect(yield* decoded(stream)).toEqual(["Id\n1\n"])
      expect(yield* decoded(stream)).toEqual(["Id\n1\n"])
    }),
  )

  it.effect("of no page are the headings, and of empty pages no empty chunk", () =>
    Effect.gen(function* () {
      expect(yield* decoded(bytes(lines, rows, Stream.empty))).toEqual(["Id\n"])
      expect(yield* decoded(bytes(lines, rows, Stream.make(ids(1), ids(), ids(2))))).toEqual([
        "Id\n1\n",
        "2\n",
      ])
    }),
  )

  it.effect("are taken before the next page is asked for", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const pages = Stream.rechunk(Stream.range(1, 3), 1).pipe(
        Stream.map((id) => {
          order.push(`page ${id}`)
          return ids(id)
        }),
      )
      yield* Stream.runForEach(bytes(lines, rows, pages), () => Effect.sync(() => order.push("taken")))
      expect(order).toEqual(["page 1", "taken", "page 2", "taken", "page 3", "taken"])
    }),
  )

  it.effect("stay as they are when further pages are written", () =>
    Effect.gen(function* () {
      const chunks = yield* Stream.runCollect(bytes(lines, rows, Stream.make(ids(1), ids(2), ids(3))))
      expect(Buffer.concat(chunks).toString("utf8")).toBe("Id\n1\n2\n3\n")
      expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(3)
    }),
  )

  it.effect("end with the error of the pages, after what came before it", () =>
    Effect.gen(function* () {
      const pages = Stream.concat(Stream.make(ids(1)), Stream.fail("offline" as const))
      const seen: Array<string> = []
      const error = yield* bytes(lines, rows, pages).pipe(
        Stream.runForEach((chunk) => Effect.sync(() => seen.push(new TextDecoder().decode(chunk)))),
        Effect.flip,
      )
      expect(error).toBe("offline")
      expect(seen).toEqual(["Id\n1\n"])
    }),
  )

  it.effect("end with the error of the writer, and its file is let go", () =>
    Effect.gen(function* () {
      const failed = new ExportError({ reason: { _tag: "TooManyRows", format: "faulty", maxRows: 0 } })
      let isLetGo = false
      const faulty: TableWriter = {
        format: lines.format,
        open: () =>
          Effect.acquireRelease(
            Effect.succeed<FileWriter<never>>({
              sheet: () => Effect.succeed({ add: () => Effect.fail(failed), end: Effect.void }),
              end: Effect.void,
            }),
            () => Effect.sync(() => void (isLetGo = true)),
          ),
      }
      const error = yield* Effect.flip(Stream.runDrain(bytes(faulty, rows, Stream.make(ids(1)))))
      expect(error).toBe(failed)
      expect(isLetGo).toBe(true)
    }),
  )

  it.effect("hold what the end of the file adds", () =>
    Effect.gen(function* () {
      const framed: TableWriter = {
        ...lines,
        open: (options) =>
          Effect.map(lines.open(options), (file) => ({
            ...file,
            end: options.write(new TextEncoder().encode("end\n")),
          })),
      }
      expect(yield* decoded(bytes(framed, rows, Stream.make(ids(1))))).toEqual(["Id\n1\n", "end\n"])
    }),
  )
})

describe("a format of plain text", () => {
  it.effect("has one sheet, and is written in UTF-8 with nothing for an empty text", () =>
    Effect.gen(function* () {
      const chunks: Array<Uint8Array> = []
      const pages: Array<number> = []
      const writer = ofBytes(
        { name: "plain", extensions: ["txt"], mediaType: "text/plain", limits: unlimited },
        ({ name }, { headings }, into) => ({
          page: (records) => {
            pages.push(records.length)
            if (records.length > 0) into.writeText("Αθήνα")
          },
          end: () => into.writeText(`${name} ${headings}`),
        }),
      )
      expect(writer.format.sheets).toBe("one")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* writer.open<never>({
            write: (chunk) => Effect.sync(() => chunks.push(new Uint8Array(chunk))),
          })
          const sheet = yield* file.sheet(rows)
          yield* sheet.add([])
          yield* sheet.add(ids(1))
          expect(chunks).toHaveLength(1)
          yield* sheet.end
          yield* file.end
        }),
      )
      expect(Buffer.concat(chunks).toString("utf8")).toBe("Αθήναrows labels")
      expect(pages).toEqual([0, 1])
    }),
  )

  it.effect("passes on what the taker of its bytes fails with", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* lines.open({ write: () => Effect.fail("no room" as const) })
        const sheet = yield* file.sheet(rows)
        expect(yield* Effect.flip(sheet.add(ids(1)))).toBe("no room")
      }),
    ),
  )
})
