import { spawnSync } from "node:child_process"
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { sqliteStore } from "../../src/index.ts"
import type { SqliteDatabase } from "../../src/Sqlite.ts"
import { applicationId, open } from "../../src/Sqlite.ts"
import { schemaVersion } from "../../src/Schema.ts"
import { emulated, expectSound, expectTruth, failing, folder, query, sync } from "../harness/World.ts"

const opening = (path: string, isReadOnly = false) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.match(sqliteStore({ path, isReadOnly }), {
        onSuccess: () => null,
        onFailure: ({ reason }) => reason,
      }),
    ),
  )

const statements = async (path: string, sql: string): Promise<void> => {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}

/** Changes bytes of all pages but the first, whose beginning shows what the file is. */
const damagePages = async (path: string): Promise<void> => {
  const bytes = await readFile(path)
  for (let at = 4_096; at < bytes.length; at += 7) bytes[at]! ^= 0x55
  await writeFile(path, bytes)
}

describe("a file that is opened as a mirror", () => {
  it("is made where there is none, for its owner only, and is one file at rest", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 3 })
    await sync(place.mirror, account)
    expect(((await stat(place.mirror)).mode & 0o777).toString(8)).toBe("600")
    expect(query(place.mirror, "pragma journal_mode")).toEqual([{ journal_mode: "delete" }])
    expect(query(place.mirror, "pragma application_id")).toEqual([{ application_id: applicationId }])
    expect(query(place.mirror, "pragma user_version")).toEqual([{ user_version: schemaVersion }])
    expect((await opening(`${place.mirror}-wal`, true))?._tag).toBe("MirrorMissing")
  })

  it("is never made by reading it", async () => {
    await using place = await folder()
    expect(await opening(place.mirror, true)).toEqual({ _tag: "MirrorMissing", path: place.mirror })
    await writeFile(place.mirror, "")
    expect(await opening(place.mirror, true)).toEqual({ _tag: "NotAMirror", path: place.mirror })
    expect(await opening(place.mirror)).toBeNull()
    expect(await opening(place.mirror, true)).toBeNull()
  })

  it("is not changed when it is something else", async () => {
    await using place = await folder()
    await writeFile(
      place.mirror,
      "contracts of the year 2026, and more than enough of them to fill a page".repeat(80),
    )
    const other = join(place.path, "other.sqlite")
    await statements(other, "create table notes (text text); pragma user_version = 1")
    for (const path of [place.mirror, other]) {
      const before = await readFile(path)
      expect(await opening(path)).toEqual({ _tag: "NotAMirror", path })
      expect(await opening(path, true)).toEqual({ _tag: "NotAMirror", path })
      expect((await readFile(path)).equals(before)).toBe(true)
    }
  })

  it("has nothing beside it that is no file: neither is waited for", async () => {
    await using place = await folder()
    expect(await opening(place.mirror)).toBeNull()
    for (const end of ["-journal", "-wal", "-shm"]) {
      const path = `${place.mirror}${end}`
      spawnSync("mkfifo", [path])
      for (const isReadOnly of [false, true])
        expect(await opening(place.mirror, isReadOnly)).toMatchObject({ _tag: "MirrorNotOwn", path })
      await rm(path)
    }
    expect(await opening(place.mirror)).toBeNull()
  })

  it("is not another user's where every user may write, unless it is only read", async () => {
    await using place = await folder()
    if (process.getuid?.() !== 0) return console.warn("SKIPPED: only root can make a file of another user.")
    expect(await opening(place.mirror)).toBeNull()
    await chmod(place.path, 0o777)
    await chown(place.mirror, 65_534, 65_534)
    expect(await opening(place.mirror)).toMatchObject({ _tag: "MirrorNotOwn", path: place.mirror })
    expect(await opening(place.mirror, true)).toBeNull()
    await writeFile(`${place.mirror}-wal`, "")
    expect(await opening(place.mirror, true)).toBeNull()
    await chown(`${place.mirror}-wal`, 54_321, 54_321)
    expect(await opening(place.mirror, true)).toMatchObject({ _tag: "MirrorNotOwn" })
  })

  it.skipIf(spawnSync("unshare", ["-m", "true"]).status !== 0)(
    "is refused for writing where it is mounted by itself, because what is beside it is not",
    async () => {
      await using place = await folder()
      const source = join(place.path, "source")
      for (const path of [place.mirror, source]) expect(await opening(path)).toBeNull()
      const program = `
        import * as Effect from "effect/Effect"
        import { sqliteStore } from "@deedkit/sync"
        for (const isReadOnly of [false, true]) {
          const opening = sqliteStore({ path: process.env.MIRROR, isReadOnly })
          console.log(await Effect.runPromise(Effect.scoped(Effect.match(opening, { onSuccess: () => "opened", onFailure: ({ reason }) => reason._tag }))))
        }`
      const command = `mount --bind "$1" "$MIRROR" && exec "$2" --conditions=@deedkit/source --input-type=module --eval "$3"`
      const { stdout } = spawnSync(
        "unshare",
        ["-m", "sh", "-c", command, "sh", source, process.execPath, program],
        {
          cwd: join(import.meta.dirname, "../.."),
          encoding: "utf8",
          env: { ...process.env, MIRROR: place.mirror },
        },
      )
      expect(stdout.trim().split("\n")).toEqual(["MirrorMounted", "opened"])
      expect(await opening(place.mirror)).toBeNull()
    },
  )

  it("is not changed when a newer version has made its tables", async () => {
    await using place = await folder()
    await opening(place.mirror)
    const found = schemaVersion + 1
    await statements(place.mirror, `pragma user_version = ${found}`)
    const before = await readFile(place.mirror)
    const reason = { _tag: "SchemaNewer", path: place.mirror, found, known: schemaVersion }
    expect(await opening(place.mirror)).toEqual(reason)
    expect(await opening(place.mirror, true)).toEqual(reason)
    expect((await readFile(place.mirror)).equals(before)).toBe(true)
  })

  it("is not changed when an older version has made its tables, and says that a new one is needed", async () => {
    await using place = await folder()
    await statements(
      place.mirror,
      `create table account (account text); pragma application_id = ${applicationId}; pragma user_version = 1`,
    )
    const before = await readFile(place.mirror)
    const reason = { _tag: "SchemaOlder", path: place.mirror, found: 1, known: schemaVersion }
    expect(await opening(place.mirror)).toEqual(reason)
    expect(await opening(place.mirror, true)).toEqual(reason)
    expect((await readFile(place.mirror)).equals(before)).toBe(true)
  })

  it("is damaged, and not changed, when it has a version that no mirror has", async () => {
    await using place = await folder()
    await opening(place.mirror)
    await statements(place.mirror, "pragma user_version = 0")
    const before = await readFile(place.mirror)
    const reason = { _tag: "MirrorDamaged", path: place.mirror }
    expect(await opening(place.mirror)).toEqual(reason)
    expect(await opening(place.mirror, true)).toEqual(reason)
    expect((await readFile(place.mirror)).equals(before)).toBe(true)
  })

  it("is the one of that name, for its owner only, also where the name could be an address", async () => {
    await using place = await folder()
    const program = `
      import * as Effect from "effect/Effect"
      import { sqliteStore } from "@deedkit/sync"
      process.chdir(process.argv[1])
      await Effect.runPromise(Effect.scoped(sqliteStore({ path: "file:mirror.sqlite" })))`
    const flags = ["--no-warnings", "--conditions=@deedkit/source", "--input-type=module"]
    const { stderr } = spawnSync(process.execPath, [...flags, "-e", program, place.path], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    })
    expect([stderr, await readdir(place.path)]).toEqual(["", ["file:mirror.sqlite"]])
    const path = join(place.path, "file:mirror.sqlite")
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600")
    expect(await opening(path, true)).toBeNull()
  })

  it("is refused with the platform's code when it is a folder, or in none", async () => {
    await using place = await folder()
    await mkdir(place.mirror)
    expect(await opening(place.mirror)).toEqual({
      _tag: "MirrorUnopenable",
      path: place.mirror,
      code: "EISDIR",
    })
    const path = join(place.path, "none", "mirror.sqlite")
    expect(await opening(path)).toEqual({ _tag: "MirrorUnopenable", path, code: "ENOENT" })
  })

  it("is not made by a Node without node:sqlite, which is told the version that has it", async () => {
    await using place = await folder()
    const program = `
      import * as Effect from "effect/Effect"
      import { sqliteStore } from "@deedkit/sync"
      const opening = Effect.scoped(Effect.flip(sqliteStore({ path: process.argv[1] })))
      console.log(JSON.stringify((await Effect.runPromise(opening)).reason))`
    const flags = ["--no-experimental-sqlite", "--conditions=@deedkit/source", "--input-type=module"]
    const { stderr, stdout } = spawnSync(process.execPath, [...flags, "-e", program, place.mirror], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    })
    expect([stderr, JSON.parse(stdout || "null")]).toEqual([
      "",
      { _tag: "SqliteMissing", node: process.versions.node, needed: "22.13" },
    ])
    expect(await readdir(place.path)).toEqual([])
  })

  it("fails when another process holds its lock, and loses nothing by it", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 25 })
    await sync(place.mirror, account)
    emulator.store.insert()
    const other = new DatabaseSync(place.mirror)
    other.exec("begin immediate")
    const { reason } = await failing(place.mirror, account)
    other.exec("rollback")
    other.close()
    expect(reason).toEqual({ _tag: "MirrorLocked", path: place.mirror })
    await sync(place.mirror, account)
    expectTruth(place.mirror, account, emulator)
  })

  it.skipIf(process.platform === "win32").each([
    ["deleted", (path: string) => rm(path)],
    [
      "replaced",
      (path: string) => writeFile(`${path}-other`, "text").then(() => rename(`${path}-other`, path)),
    ],
  ])("is not called complete where it was %s while it was written", async (_, disturb) => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 25 })
    let requests = 0
    const fetch: typeof account.fetch = async (request) => {
      if (++requests === 3) await disturb(place.mirror)
      return emulator.fetch(request)
    }
    const { reason } = await failing(place.mirror, { ...account, fetch })
    expect(reason).toEqual({ _tag: "MirrorMoved", path: place.mirror })
  })

  it("can be read after its writer was killed in the middle of a change, which is undone", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 120 })
    await sync(place.mirror, account)
    const killed = join(place.path, "killed.sqlite")
    const db = new DatabaseSync(place.mirror)
    // Little memory: pages are in the file before the transaction ends.
    db.exec("pragma cache_size = 1; begin; update contract_history set body = '{}'")
    for (const suffix of ["", "-journal"]) await copyFile(`${place.mirror}${suffix}`, `${killed}${suffix}`)
    db.close()
    expect((await readFile(killed)).equals(await readFile(place.mirror))).toBe(false)
    expect(await opening(killed, true)).toBeNull()
    expectSound(killed)
    expectTruth(killed, account, emulator)
  })

  it("fails as damaged when its pages are, and never as empty", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 60 })
    await sync(place.mirror, account)
    const bytes = await readFile(place.mirror)
    bytes.fill(0xff, 4096 * 2)
    await writeFile(place.mirror, bytes)
    const { reason } = await failing(place.mirror, account)
    expect(reason).toEqual({ _tag: "MirrorDamaged", path: place.mirror })
  })

  it.each([
    ["whose schema is damaged", (path: string) => damagePages(path)],
    ["whose table is gone", (path: string) => statements(path, "drop table contract_history")],
    [
      "whose column is gone",
      (path: string) =>
        statements(
          path,
          ["contracts", "listings", "contracts_with_removed", "contract_versions", "contract"]
            .map((view) => `drop view ${view};`)
            .join("") + "alter table contract_history drop column city",
        ),
    ],
  ])("%s fails as damaged", async (_, damage) => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 60 })
    await sync(place.mirror, account)
    await damage(place.mirror)
    const damaged = { _tag: "MirrorDamaged", path: place.mirror }
    expect((await failing(place.mirror, account)).reason).toEqual(damaged)
    expect(await opening(place.mirror, true)).toEqual(damaged)
  })
})

const mount = (path: string, options: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status === 0
const again = (path: string, options: string): boolean =>
  spawnSync("mount", ["-o", `remount,${options}`, path]).status === 0

/** A disk of its own; null where this user may mount none. */
const disk = async (kilobytes: number) => {
  const place = await folder()
  if (!mount(place.path, `size=${kilobytes}k`)) {
    console.warn("SKIPPED: this user may mount no disk, so no mirror is written to a full one.")
    await place[Symbol.asyncDispose]()
    return null
  }
  return {
    ...place,
    [Symbol.asyncDispose]: async () => {
      spawnSync("umount", [place.path])
      await place[Symbol.asyncDispose]()
    },
  }
}

describe("a disk", () => {
  it("that is full ends a sync, which resumes when there is room", async ({ skip }) => {
    await using place = await disk(200)
    if (place === null) return skip()
    const { account, emulator } = emulated("acme", { contracts: 400 })
    const { reason } = await failing(place.mirror, account, { pageSize: 20 })
    expect(reason).toEqual({ _tag: "DiskFull", path: place.mirror })
    again(place.path, "size=8m")
    const [row] = await sync(place.mirror, account, { pageSize: 20 })
    expect(row).toMatchObject({ records: 400, completeness: "proven" })
    expectTruth(place.mirror, account, emulator)
    expectSound(place.mirror)
  })

  it("that cannot be written to fails a sync, and the mirror on it can be read", async ({ skip }) => {
    await using place = await disk(4_000)
    if (place === null) return skip()
    const { account } = emulated("acme", { contracts: 5 })
    await sync(place.mirror, account)
    again(place.path, "ro")
    const { reason } = await failing(place.mirror, account)
    expect(reason).toEqual({ _tag: "MirrorReadOnly", path: place.mirror })
    expect(await opening(place.mirror, true)).toBeNull()
    expect(query(place.mirror, "select count(*) as rows from contract")).toEqual([{ rows: 5 }])
    again(place.path, "rw")
  })
})

describe("what is written at once", () => {
  const within = <A, E>(path: string, use: (database: SqliteDatabase) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const database = yield* open({ path, lockMillis: 0 })
      database.db.exec("create table number (value integer unique)")
      return yield* use(database)
    }).pipe(Effect.scoped, Effect.runPromise)
  const values = (path: string) => query(path, "select value from number order by value")

  it("is one transaction, which another connection sees whole", async () => {
    await using place = await folder()
    const seen = await within(place.mirror, ({ write }) =>
      Effect.forEach(
        [1, 2, 3],
        (value) =>
          write(null, (run) =>
            Effect.map(run("insert into number values ($1)", value), () => values(place.mirror).length),
          ),
        { concurrency: "unbounded" },
      ),
    )
    expect(seen).toEqual([0, 0, 0])
    expect(values(place.mirror)).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }])
  })

  it("is stored but for what fails, and each learns what became of its own", async () => {
    await using place = await folder()
    const ended = await within(place.mirror, ({ write }) =>
      Effect.forEach(
        [1, 2, 2, 3],
        (value) =>
          Effect.match(
            write(null, (run) => run("insert into number values ($1)", value)),
            { onSuccess: () => "stored", onFailure: ({ reason }) => reason._tag },
          ),
        { concurrency: "unbounded" },
      ),
    )
    expect(ended).toEqual(["stored", "stored", "MirrorDamaged", "stored"])
    expect(values(place.mirror)).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }])
  })

  it("is not stored where it was interrupted before", async () => {
    await using place = await folder()
    await within(place.mirror, ({ write }) =>
      Effect.gen(function* () {
        const insert = (value: number) => write(null, (run) => run("insert into number values ($1)", value))
        const first = yield* Effect.forkChild(insert(1), { startImmediately: true })
        const second = yield* Effect.forkChild(insert(2), { startImmediately: true })
        yield* Fiber.interrupt(first)
        yield* Fiber.join(second)
      }),
    )
    expect(values(place.mirror)).toEqual([{ value: 2 }])
  })
})
