import { createHash } from "node:crypto"
import { readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../../src/run.ts"
import { json } from "../../src/formats/Json.ts"
import { ndjson } from "../../src/formats/Json.ts"
import type { OutputSpec } from "../../src/run/OutputFiles.ts"
import type { RunOptions } from "../../src/run.ts"
import { book, bookOf } from "../fixtures/book.ts"
import type { offline, ReadingChoice } from "../fixtures/resumable.ts"
import { jobOf } from "../fixtures/resumable.ts"
import { folder, rejected, lines, rows } from "../fixtures/list.ts"

const list = (path: string) =>
  Effect.map(
    Effect.promise(() => readdir(path)),
    (names) => names.toSorted(),
  )
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const write = (path: string, content = "old") => Effect.promise(() => writeFile(path, content))

const tableOf = (name: string) => ({ ...rows, name, title: name })

interface Choice extends Omit<Partial<RunOptions<typeof offline, never>>, "outputs"> {
  readonly reading?: ReadingChoice
}

const exporting = (outputs: ReadonlyArray<OutputSpec>, { reading = {}, ...options }: Choice = {}) =>
  run({ jobs: [jobOf([[2], [1]], reading)], outputs, ...options })

const twoTables = () => [
  jobOf([[2], [1]], { table: tableOf("contracts") }),
  jobOf([[3]], { table: tableOf("keys") }),
]

describe("two formats", () => {
  it.effect("come from one read, and each has its manifest", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const asked: Array<number> = []
      const outputs = [
        { writer: ndjson, target: join(at, "a.ndjson") },
        { writer: json, target: join(at, "a.json") },
      ]
      const result = yield* exporting(outputs, { reading: { asked } })
      expect(asked).toEqual([1, 2])
      expect(result.paths).toEqual(outputs.map(({ target }) => target))
      expect(yield* read(join(at, "a.ndjson"))).toBe('{"id":2}\n{"id":1}\n')
      expect(yield* read(join(at, "a.json"))).toBe('[\n{"id":2},\n{"id":1}\n]\n')
      expect(result.manifest.files.map(({ format, name }) => [format, name])).toEqual([
        ["ndjson", "a.ndjson"],
        ["json", "a.json"],
      ])
      for (const { target } of outputs) {
        expect(JSON.parse(yield* read(`${target}.manifest.json`))).toEqual(result.manifest)
      }
      expect(result.manifestPath).toBe(`${outputs[0]?.target}.manifest.json`)
    }),
  )

  it.effect("may be a file and standard output, and the file has all its sidecars", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const stdout = new PassThrough()
      const outputs = [
        { writer: ndjson, target: "-" },
        { writer: json, target: join(at, "a.json") },
      ]
      const more = { rejectionLimits: { share: 1 }, stdout, reading: { more: { rejected: [rejected(9)] } } }
      const result = yield* exporting(outputs, more)
      stdout.end()
      expect(yield* Effect.promise(() => text(stdout))).toBe('{"id":2}\n{"id":1}\n')
      expect(yield* list(at)).toEqual(["a.json", "a.json.manifest.json", "a.json.rejected.ndjson"])
      expect(result.manifest.files.map(({ name }) => name)).toEqual(["-", "a.json"])
      expect(result.manifestPath).toBe(join(at, "a.json.manifest.json"))
    }),
  )

  it.effect("are refused the same file, by whatever name, before the first request", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const path = join(at, "a.txt")
      yield* Effect.promise(() => symlink("a.txt", join(at, "link.txt")))
      const asked: Array<number> = []
      for (const second of [path, join(at, ".", "a.txt"), join(at, "link.txt")]) {
        const outputs = [
          { writer: ndjson, target: path },
          { writer: json, target: second },
        ]
        const error = yield* Effect.flip(exporting(outputs, { reading: { asked } }))
        expect(error).toMatchObject({ reason: { _tag: "TargetTwice", path } })
      }
      expect(asked).toEqual([])
      expect(yield* list(at)).toEqual(["link.txt"])
    }),
  )

  it.effect("are refused names that differ only in case or in the form of an accent", () =>
    Effect.gen(function* () {
      const at = yield* folder
      for (const [first, second] of [
        ["a.txt", "A.TXT"],
        ["caf\u00E9.txt", "cafe\u0301.txt"],
      ] as const) {
        const outputs = [
          { writer: ndjson, target: join(at, first) },
          { writer: json, target: join(at, second) },
        ]
        const error = yield* Effect.flip(exporting(outputs))
        expect(error).toMatchObject({ reason: { _tag: "TargetTwice", path: join(at, second) } })
      }
      expect(yield* list(at)).toEqual([])
    }),
  )

  for (const suffix of [
    ".rejected.ndjson",
    ".texts.ndjson",
    ".manifest.json",
    ".interrupted.json",
    ".part.records",
  ]) {
    it.effect(`are refused where one would be the ${suffix} of the other`, () =>
      Effect.gen(function* () {
        const at = yield* folder
        const path = join(at, `a.txt${suffix}`)
        const outputs = [
          { writer: ndjson, target: join(at, "a.txt") },
          { writer: json, target: path },
        ]
        for (const overwrite of [false, true]) {
          for (const order of [outputs, outputs.toReversed()]) {
            const error = yield* Effect.flip(exporting(order, { overwrite }))
            expect(error).toMatchObject({ reason: { _tag: "TargetTwice", path } })
          }
        }
        expect(yield* list(at)).toEqual([])
      }),
    )
  }
})

describe("a name that is too long", () => {
  /** What is left of the 255 characters of a name when the longest one beside it is being written. */
  const room = 255 - ".interrupted.json.01234567.part".length

  for (const [what, stem] of [
    ["by itself", 300],
    ["with what is added for a manifest", 235],
    ["by one character with all that is added", room - ".txt".length + 1],
  ] as const) {
    it.effect(`${what} is refused before the first request, and nothing is kept`, () =>
      Effect.gen(function* () {
        const at = yield* folder
        const asked: Array<number> = []
        const left: Array<unknown> = []
        const path = join(at, `${"a".repeat(stem)}.txt`)
        const error = yield* Effect.flip(
          exporting([{ writer: lines, target: path }], {
            reading: { asked },
            onLeftover: (l) => left.push(l),
          }),
        )
        expect(error).toMatchObject({ reason: { _tag: "NameTooLong", path } })
        expect([asked, left, yield* list(at)]).toEqual([[], [], []])
      }),
    )
  }

  it.effect("is refused too where only that of a further table is", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const stem = "a".repeat(room - "-keys.txt".length)
      const target = join(at, `${stem}.txt`)
      const error = yield* Effect.flip(exporting([{ writer: lines, target }], { jobs: twoTables() }))
      expect(error).toMatchObject({
        reason: { _tag: "NameTooLong", path: join(at, `${stem}-contracts.txt`) },
      })
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("by one character less is none", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const name = `${"a".repeat(room - ".txt".length)}.txt`
      yield* exporting([{ writer: lines, target: join(at, name) }])
      expect(yield* list(at)).toEqual([name, `${name}.manifest.json`])
    }),
  )
})

describe("several tables", () => {
  it.effect("and a summary are a file each of a format of plain text, and sheets of another", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const outputs = [
        { writer: ndjson, target: join(at, "a.ndjson") },
        { writer: book, target: join(at, "a.book") },
      ]
      const result = yield* exporting(outputs, { jobs: twoTables(), summary: true })
      const files = ["a-contracts.ndjson", "a-keys.ndjson", "a-summary.ndjson", "a.book"]
      expect(yield* list(at)).toEqual(files.flatMap((name) => [name, `${name}.manifest.json`]).toSorted())
      expect(result.manifest.files.map(({ name, tables }) => [name, Object.keys(tables)])).toEqual([
        ["a-contracts.ndjson", ["contracts"]],
        ["a-keys.ndjson", ["keys"]],
        ["a-summary.ndjson", ["summary"]],
        ["a.book", ["contracts", "keys", "summary"]],
      ])
      const titles = (yield* read(join(at, "a.book"))).split("\n").filter((line) => line.startsWith("#"))
      expect(titles).toEqual(["# contracts", "# keys", "# Summary (first)"])
      expect(yield* read(join(at, "a-summary.ndjson"))).toContain(
        '{"section":"Export","item":"Verdict","value":"complete"}',
      )
    }),
  )

  it.effect("without a summary show the first table first", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* exporting([{ writer: book, target: join(at, "a.book") }], { jobs: twoTables() })
      expect(yield* read(join(at, "a.book"))).toMatch(/^# contracts \(first\)\n[^]*# keys\n/)
    }),
  )

  it.effect("down one pipe are refused before the first request", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(exporting([{ writer: lines, target: "-" }], { jobs: twoTables() }))
      expect(error).toMatchObject({ reason: { _tag: "OneTableOnly", target: "-", format: "lines" } })
    }),
  )
})

describe("what killed runs left", () => {
  it.effect("is taken away by the next run to the same file, and by no other", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const part = (name: string) => `${name}.0123abcd.part`
      const gone = [
        "a.ndjson",
        "a.ndjson.rejected.ndjson",
        "a.ndjson.texts.ndjson",
        "a.ndjson.manifest.json",
        "a.ndjson.interrupted.json",
        "a.book",
        "a.book.manifest.json",
      ].map(part)
      const kept = [part("b.ndjson")]
      for (const name of [...gone, ...kept]) yield* write(join(at, name))
      yield* exporting([
        { writer: ndjson, target: join(at, "a.ndjson") },
        { writer: book, target: join(at, "a.book") },
      ])
      expect((yield* list(at)).filter((name) => name.endsWith(".part"))).toEqual(kept.toSorted())
    }),
  )
})

describe("without what is kept beside files", () => {
  it.effect("no manifest is written, and none of an older file stays", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      yield* exporting([{ writer: ndjson, target }])
      expect(yield* list(at)).toHaveLength(2)
      const options = { keepsRecords: false, overwrite: true }
      const result = yield* exporting([{ writer: ndjson, target }], options)
      expect(result.manifestPath).toBeNull()
      expect(result.manifest.verdict).toBe("complete")
      expect(yield* list(at)).toEqual(["a.ndjson"])
    }),
  )

  it.effect("nothing stays of a run that failed, and an older manifest does with its file", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      yield* exporting([{ writer: ndjson, target }])
      const before = yield* read(`${target}.manifest.json`)
      const options = { keepsRecords: false, overwrite: true, reading: { failsAt: 2 } }
      yield* Effect.flip(exporting([{ writer: ndjson, target }], options))
      expect(yield* list(at)).toEqual(["a.ndjson", "a.ndjson.manifest.json"])
      expect(yield* read(`${target}.manifest.json`)).toBe(before)
    }),
  )
})

describe("texts that are too long", () => {
  it.effect("are in a file beside the first, one line for each format that could not hold them", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const long = "x".repeat(50)
      const table = {
        ...rows,
        columns: [
          {
            name: "id",
            label: "Id",
            kind: "text",
            get: ({ id }: { id: number }) => (id === 1 ? long : "short"),
          },
        ],
      } as const
      const result = yield* exporting(
        [
          { writer: ndjson, target: join(at, "a.ndjson") },
          { writer: bookOf({ maxTextLength: 49 }), target: join(at, "a.book") },
        ],
        { jobs: [jobOf([[2], [1]], { table })] },
      )
      expect(yield* read(join(at, "a.ndjson"))).toBe(`{"id":"short"}\n{"id":"${long}"}\n`)
      expect(yield* read(join(at, "a.book"))).toContain(
        '"[50 characters: see line 1 of a.ndjson.texts.ndjson]"',
      )
      expect(JSON.parse(yield* read(join(at, "a.ndjson.texts.ndjson")))).toEqual({
        table: "rows",
        row: 2,
        column: "id",
        text: long,
      })
      expect(result.longTexts).toEqual({ path: join(at, "a.ndjson.texts.ndjson"), texts: 1 })
      const kept = yield* read(join(at, "a.ndjson.texts.ndjson"))
      expect(result.manifest.longTexts).toEqual({
        name: "a.ndjson.texts.ndjson",
        texts: 1,
        bytes: Buffer.byteLength(kept),
        sha256: createHash("sha256").update(kept).digest("hex"),
      })
    }),
  )

  it.effect("of an earlier export go with it", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const target = join(at, "a.ndjson")
      yield* write(target)
      yield* write(`${target}.texts.ndjson`)
      expect(yield* Effect.flip(exporting([{ writer: ndjson, target: join(at, "a.ndjson") }]))).toMatchObject(
        {
          reason: { _tag: "TargetExists", path: target },
        },
      )
      yield* exporting([{ writer: ndjson, target }], { overwrite: true })
      expect(yield* list(at)).toEqual(["a.ndjson", "a.ndjson.manifest.json"])
    }),
  )
})
