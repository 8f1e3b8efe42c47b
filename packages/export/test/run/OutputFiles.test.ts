import { createHash } from "node:crypto"
import { execFileSync } from "node:child_process"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OutputFiles from "../../src/run/OutputFiles.ts"
import type { Sheets, TableWriter } from "../../src/write/TableWriter.ts"
import { book } from "../fixtures/book.ts"
import { hasNamedPipes } from "../fixtures/otherPrograms.ts"
import type { Row } from "../fixtures/list.ts"
import { folder, lines, rows } from "../fixtures/list.ts"

const options = (changes: Partial<OutputFiles.OutputOptions> = {}): OutputFiles.OutputOptions => ({
  overwrite: false,
  language: "en",
  headings: "labels",
  stdout: new PassThrough(),
  cellNote: () => "",
  properties: () => ({}),
  ...changes,
})

/** The files of an output, and their paths. */
const make = (
  target: string,
  tables: ReadonlyArray<string>,
  writer = lines,
  changes: Partial<OutputFiles.OutputOptions> = {},
) =>
  Effect.map(OutputFiles.placesOf({ writer, target }, tables, changes.overwrite ?? false), (places) => ({
    ...OutputFiles.make(writer, places, options(changes)),
    paths: places.map(OutputFiles.pathOf),
  }))

const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))
const list = (path: string) =>
  Effect.map(
    Effect.promise(() => readdir(path)),
    (names) => names.toSorted(),
  )

const tableOf = (name: string) => ({ ...rows, name, title: name })

/** Writes a table with these ids. */
const fill = (output: OutputFiles.OutputFiles, name: string, ...ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const sheet = yield* output.startTable(tableOf(name))
    yield* sheet.add(
      ids.map((id) => ({ id })),
      0,
    )
    yield* sheet.end
  })

describe("the files of an output", () => {
  const named: ReadonlyArray<readonly [target: string, files: ReadonlyArray<string>]> = [
    ["out.txt", ["out-contracts.txt", "out-keys.txt"]],
    ["out.tar.gz", ["out.tar-contracts.gz", "out.tar-keys.gz"]],
    ["out", ["out-contracts", "out-keys"]],
    [".env", [".env-contracts", ".env-keys"]],
    [".env.txt", [".env-contracts.txt", ".env-keys.txt"]],
    ["out.", ["out-contracts.", "out-keys."]],
    ["a b.txt", ["a b-contracts.txt", "a b-keys.txt"]],
  ]
  for (const [target, files] of named) {
    it.effect(`of several tables are named after them: ${target}`, () =>
      Effect.gen(function* () {
        const at = join(yield* folder, "with.dot")
        yield* Effect.promise(() => mkdir(at))
        const output = yield* make(join(at, target), ["contracts", "keys"])
        expect(output.paths).toEqual(files.map((file) => join(at, file)))
        expect(yield* list(at)).toEqual([])
      }),
    )
  }

  it.effect("of one table are the target itself, and so are those of a format with sheets", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "out.txt")
      expect((yield* make(target, ["contracts"])).paths).toEqual([target])
      expect((yield* make(target, ["contracts", "keys"], book)).paths).toEqual([target])
    }),
  )

  it.effect("hold a table each, and get their names together", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const output = yield* make(join(at, "out.txt"), ["contracts", "keys"])
      yield* fill(output, "contracts", 3, 2)
      yield* fill(output, "keys", 1)
      yield* output.finish
      expect((yield* list(at)).every((name) => name.endsWith(".part"))).toBe(true)
      yield* output.commit
      expect(yield* list(at)).toEqual(["out-contracts.txt", "out-keys.txt"])
      expect(yield* read(join(at, "out-contracts.txt"))).toBe("Id\n3\n2\n")
      expect(yield* read(join(at, "out-keys.txt"))).toBe("Id\n1\n")
      expect(output.files()).toEqual([
        {
          name: "out-contracts.txt",
          format: "lines",
          tables: { contracts: 2 },
          bytes: 7,
          sha256: createHash("sha256").update("Id\n3\n2\n").digest("hex"),
        },
        {
          name: "out-keys.txt",
          format: "lines",
          tables: { keys: 1 },
          bytes: 5,
          sha256: createHash("sha256").update("Id\n1\n").digest("hex"),
        },
      ])
    }),
  )

  it.effect("can be asked for at any time, and say what was written up to then", () =>
    Effect.gen(function* () {
      const output = yield* make(join(yield* folder, "out.txt"), ["contracts"])
      expect(output.files()).toEqual([])
      const sheet: Pick<Sheets<Row, unknown>, "add"> = yield* output.startTable(tableOf("contracts"))
      yield* sheet.add([{ id: 1 }], 0)
      const [before] = output.files()
      expect(before).toMatchObject({ tables: { contracts: 1 }, bytes: 5 })
      yield* sheet.add([{ id: 2 }], 0)
      const [after] = output.files()
      expect(after?.sha256).toBe(createHash("sha256").update("Id\n1\n2\n").digest("hex"))
    }),
  )

  it.effect("of a format with sheets hold all tables, and end once", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const output = yield* make(join(at, "out.book"), ["contracts", "keys"], book)
      yield* fill(output, "contracts", 1)
      const sheet = yield* output.startTable(tableOf("keys"), { opened: true })
      yield* sheet.end
      yield* output.finish
      yield* output.commit
      expect(yield* read(join(at, "out.book"))).toBe("# contracts\n1\nend\n# keys (first)\nend\nthe end\n")
      expect(output.files()).toMatchObject([{ name: "out.book", tables: { contracts: 1, keys: 0 } }])
    }),
  )

  it.effect("are none when no table began, and there is nothing to name", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const output = yield* make(join(at, "out.book"), ["contracts"], book)
      yield* Effect.andThen(output.finish, output.commit)
      expect(yield* list(at)).toEqual([])
    }),
  )

  it.effect("are gone when their scope closes before they have their names", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.scoped(
        Effect.gen(function* () {
          const output = yield* make(join(at, "out.txt"), ["contracts", "keys"])
          yield* fill(output, "contracts", 1)
          yield* fill(output, "keys", 1)
          yield* output.finish
          expect(yield* list(at)).toHaveLength(2)
        }),
      )
      expect(yield* list(at)).toEqual([])
    }),
  )
})

it.effect("hashes the bytes as they go out, though a writer makes its effects long before", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const target = join(at, "out.book")
    const output = yield* make(target, ["rows"], book)
    yield* fill(output, "rows", 3, 2, 1)
    yield* output.finish
    yield* output.commit
    const written = yield* read(target)
    expect(output.files()).toMatchObject([
      { bytes: Buffer.byteLength(written), sha256: createHash("sha256").update(written).digest("hex") },
    ])
  }).pipe(Effect.scoped),
)

describe("a target", () => {
  it.effect("that is free is free, though the name without the table is taken", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.promise(() => writeFile(join(at, "out.txt"), "old"))
      const output = yield* make(join(at, "out.txt"), ["contracts", "keys"])
      expect(output.paths).toHaveLength(2)
    }),
  )

  it.effect("is refused when the file of one table exists", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const path = join(at, "out-keys.txt")
      yield* Effect.promise(() => writeFile(path, "old"))
      const error = yield* Effect.flip(make(join(at, "out.txt"), ["contracts", "keys"]))
      expect(error.reason).toEqual({ _tag: "TargetExists", path })
      expect(
        (yield* make(join(at, "out.txt"), ["contracts", "keys"], lines, { overwrite: true })).paths,
      ).toHaveLength(2)
    }),
  )

  it.effect("that is standard output or a device takes one table as text, and several as sheets", () =>
    Effect.gen(function* () {
      for (const target of ["-", "/dev/null"]) {
        const error = yield* Effect.flip(make(target, ["contracts", "keys"]))
        expect(error.reason).toEqual({ _tag: "OneTableOnly", target, format: "lines" })
        expect((yield* make(target, ["contracts"])).paths).toEqual([null])
        expect((yield* make(target, ["contracts", "keys"], book)).paths).toEqual([null])
      }
    }),
  )

  it.effect.runIf(hasNamedPipes)("that is a named pipe takes one table as text", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "pipe")
      execFileSync("mkfifo", [target])
      const error = yield* Effect.flip(make(target, ["contracts", "keys"]))
      expect(error.reason).toEqual({ _tag: "OneTableOnly", target, format: "lines" })
    }),
  )

  it.effect("in a missing folder is refused by the name of the folder, also with several tables", () =>
    Effect.gen(function* () {
      const missing = join(yield* folder, "missing")
      for (const tables of [["contracts"], ["contracts", "keys"]]) {
        const error = yield* Effect.flip(make(join(missing, "out.txt"), tables))
        expect(error.reason).toEqual({ _tag: "TargetFolderMissing", folder: missing })
      }
    }),
  )

  it.effect("behind a symbolic link has the path of the file that it leads to", () =>
    Effect.gen(function* () {
      const at = yield* folder
      yield* Effect.promise(() => symlink("real.txt", join(at, "link.txt")))
      expect((yield* make(join(at, "link.txt"), ["contracts"])).paths).toEqual([join(at, "real.txt")])
    }),
  )
})

it.effect("adds up changed texts by column, over all files", () =>
  Effect.gen(function* () {
    const changing: TableWriter = {
      ...lines,
      open: (given) => {
        given.onTextsChanged?.({ column: "id", cells: 2 })
        return lines.open(given)
      },
    }
    const output = yield* make(join(yield* folder, "out.txt"), ["contracts", "keys"], changing)
    yield* fill(output, "contracts", 1)
    yield* fill(output, "keys", 1)
    expect(output.textsChanged).toEqual({ id: 4 })
  }),
)
