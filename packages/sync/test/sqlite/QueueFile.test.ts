import { spawnSync } from "node:child_process"
import { readFile, stat, symlink, writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { openQueue, queueErrorOf } from "../../src/store.ts"
import type { QueueFile } from "../../src/store.ts"
import { folder } from "../harness/World.ts"

const rows = { areArrays: false, areBigInts: false }

const using = <A>(mirror: string, work: (file: QueueFile) => A): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.map(openQueue(mirror), work)))

const failing = (mirror: string) =>
  Effect.runPromise(Effect.flip(Effect.scoped(openQueue(mirror)))).then(({ reason }) => reason)

describe("the queue of a mirror in a file", () => {
  it("is made beside the mirror for its owner only, keeps what is written, and is one file at rest", async () => {
    await using place = await folder()
    await using(place.mirror, ({ all }) => {
      all("create table t (a)", [], rows)
      all("insert into t values (?)", [1], rows)
    })
    expect(((await stat(`${place.mirror}.queue`)).mode & 0o777).toString(8)).toBe("600")
    await expect(stat(`${place.mirror}.queue-wal`)).rejects.toThrow("ENOENT")
    expect(await using(place.mirror, ({ all }) => all("select a from t", [], rows))).toEqual([{ a: 1 }])
  })

  it("is that of one opener at a time, in this process and in others, and free when it is closed", async () => {
    await using place = await folder()
    const locked = { _tag: "QueueLocked", path: place.mirror }
    const program = `const { DatabaseSync } = require("node:sqlite")
      try { new DatabaseSync(process.argv[1]).exec("select * from sqlite_schema") } catch ({ message }) { console.log(message) }`
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* openQueue(place.mirror)
          // The same mirror under another name.
          const name = `${place.path}/link.sqlite`
          yield* Effect.promise(() => writeFile(place.mirror, "").then(() => symlink(place.mirror, name)))
          expect(yield* Effect.promise(() => failing(name))).toEqual({ _tag: "QueueLocked", path: name })
          expect(yield* Effect.promise(() => failing(place.mirror))).toEqual(locked)
          const { stdout } = spawnSync(process.execPath, ["-e", program, `${place.mirror}.queue`], {
            encoding: "utf8",
          })
          expect(stdout).toBe("database is locked\n")
        }),
      ),
    )
    expect(await using(place.mirror, ({ isInTransaction }) => isInTransaction())).toBe(false)
  })

  it("gives rows by column or as arrays, and integers of any size on request", async () => {
    await using place = await folder()
    const statement = "select 9007199254740993 as large, ? as text"
    const taken = await using(place.mirror, ({ all }) => [
      all(statement, ["a"], { areArrays: false, areBigInts: true }),
      all(statement, [2n], { areArrays: true, areBigInts: true }),
    ])
    expect(taken).toEqual([[{ large: 9007199254740993n, text: "a" }], [[9007199254740993n, 2n]]])
  })

  it("is not changed where it is the file of another program, and says what else is wrong with it", async () => {
    await using place = await folder()
    const path = `${place.mirror}.queue`
    const db = new DatabaseSync(path)
    db.exec("create table theirs (a)")
    db.close()
    const before = await readFile(path)
    expect(await failing(place.mirror)).toEqual({ _tag: "NotAMirror", path })
    expect(await readFile(path)).toEqual(before)
    await writeFile(
      path,
      "no database, but as long as the header of one, so that SQLite looks at it".repeat(9),
    )
    expect(await failing(place.mirror)).toEqual({ _tag: "NotAMirror", path })
    expect(queueErrorOf(place.mirror)({ errcode: 13, message: "database or disk is full" }).reason).toEqual({
      _tag: "DiskFull",
      path,
    })
  })
})
