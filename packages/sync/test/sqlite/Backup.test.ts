import {
  chmod,
  chown,
  copyFile,
  lchown,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import { backup, sqliteStore } from "../../src/index.ts"
import { emulated, expectSound, expectTruth, folder, query, sync, syncInto } from "../harness/World.ts"

const copy = (from: string, to: string, isReplaced = false) =>
  Effect.runPromise(
    Effect.match(backup({ from, to, isReplaced }), {
      onSuccess: ({ accounts }) => accounts,
      onFailure: ({ reason }) => reason,
    }),
  )

const contracts = (path: string) => Number(query(path, "select count(*) as n from contract")[0]!["n"])
const epochs = (path: string) => query(path, "select id, epoch from mirror")[0]!

describe("a plain copy of a mirror", () => {
  it("is the mirror once nothing was written for a moment, while a process still has it open", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 60 })
    const copied = join(place.path, "copy.sqlite")
    const work = Effect.gen(function* () {
      const store = yield* sqliteStore({ path: place.mirror })
      yield* syncInto(store, account)
      yield* Effect.promise(() =>
        vi.waitFor(
          async () => {
            await copyFile(place.mirror, copied)
            expect(contracts(copied)).toBe(60)
          },
          { timeout: 10_000, interval: 100 },
        ),
      )
      expect((yield* store.status).map(({ lists }) => lists[0]?.records)).toEqual([60])
    })
    await Effect.runPromise(Effect.scoped(work))
    expectSound(copied)
  })
})

describe("a backup", () => {
  it("is the mirror as a transaction left it, made while a sync writes, and only its owner can read it", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 60 })
    const to = join(place.path, "backup.sqlite")
    let requests = 0
    const fetch: typeof account.fetch = async (...request) => {
      requests += 1
      if (requests === 5) expect(await copy(place.mirror, to)).toBe(1)
      return account.fetch(...request)
    }
    await sync(place.mirror, { ...account, fetch })
    expect(contracts(place.mirror)).toBe(60)
    expect(contracts(to)).toBeGreaterThan(0)
    expect(contracts(to)).toBeLessThan(60)
    expect(((await stat(to)).mode & 0o777).toString(8)).toBe("600")
    // The copy is a mirror: a sync of it resumes.
    const [row] = await sync(to, account)
    expect(row?.resumedAtPage).toBeGreaterThan(0)
    expectSound(to)
    expectTruth(to, account, emulator)
  })

  it("shows a program that follows the mirror that it is another one, also where it was copied back", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 6 })
    await sync(place.mirror, account)
    const to = join(place.path, "backup.sqlite")
    const before = epochs(place.mirror)
    expect(await copy(place.mirror, to)).toBe(1)
    expect(epochs(to)).toMatchObject({ id: before["id"] })
    await sync(place.mirror, account)
    expect(epochs(place.mirror)).toEqual(before)
    // What is left beside the mirror by a process that was killed belongs to the file before.
    await writeFile(`${place.mirror}-wal`, "left over")
    expect(await copy(to, place.mirror, true)).toBe(1)
    const restored = epochs(place.mirror)
    expect(restored["id"]).toBe(before["id"])
    expect(new Set([before, epochs(to), restored].map(({ epoch }) => epoch)).size).toBe(3)
    expect(await readdir(place.path)).toEqual(["backup.sqlite", "mirror.sqlite"])
    await sync(place.mirror, account)
    expectSound(place.mirror)
  })

  it("replaces a file only if it may, never itself, and never one that is in use", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 6 })
    await sync(place.mirror, account)
    const to = join(place.path, "backup.sqlite")
    const exists = (path: string) => ({ _tag: "MirrorUnopenable", path, code: "EEXIST" })
    await writeFile(to, "notes")
    expect(await copy(place.mirror, to)).toEqual(exists(to))
    expect(await readFile(to, "utf8")).toBe("notes")
    expect(await copy(place.mirror, place.mirror, true)).toEqual(exists(place.mirror))
    expect(await copy(place.mirror, to, true)).toBe(1)
    const user = new DatabaseSync(to)
    user.exec("pragma journal_mode = wal; select * from account")
    expect(await copy(place.mirror, to, true)).toEqual({ _tag: "MirrorLocked", path: to })
    user.close()
    const nowhere = join(place.path, "no", "backup.sqlite")
    expect(await copy(place.mirror, nowhere)).toMatchObject({ path: nowhere })
    expect(await copy(nowhere, to, true)).toEqual({ _tag: "MirrorMissing", path: nowhere })
    expect((await readdir(place.path)).filter((name) => name.endsWith(".part"))).toEqual([])
  })

  it("goes by no link of another user, neither in its place nor in that of a folder", async () => {
    if (process.getuid?.() !== 0) return console.warn("SKIPPED: only root can plant a link of another user.")
    await using place = await folder()
    await sync(place.mirror, emulated("acme", { contracts: 3 }).account)
    const [own, shared] = ["own", "shared"].map((name) => join(place.path, name)) as [string, string]
    for (const path of [own, shared]) await mkdir(path)
    await writeFile(join(own, "backup.sqlite"), "mine")
    await chmod(shared, 0o777)
    await symlink(own, join(shared, "folder"))
    await symlink(join(own, "backup.sqlite"), join(shared, "file.sqlite"))
    for (const name of ["folder", "file.sqlite"]) await lchown(join(shared, name), 65_534, 65_534)
    for (const name of ["folder/backup.sqlite", "file.sqlite"])
      expect(await copy(place.mirror, join(shared, name), true)).toMatchObject({ _tag: "MirrorNotOwn" })
    expect(await readdir(own)).toEqual(["backup.sqlite"])
    expect(await readFile(join(own, "backup.sqlite"), "utf8")).toBe("mine")
    await lchown(join(shared, "file.sqlite"), 0, 0)
    expect(await copy(place.mirror, join(shared, "file.sqlite"), true)).toBe(1)
    expect(await readFile(join(own, "backup.sqlite"), "utf8")).toBe("mine")
  })

  it("keeps owner and mode of the file that it replaces, so that its readers keep it", async () => {
    if (process.getuid?.() !== 0) return console.warn("SKIPPED: only root can give a file to another user.")
    await using place = await folder()
    await sync(place.mirror, emulated("acme", { contracts: 3 }).account)
    const to = join(place.path, "backup.sqlite")
    expect(await copy(place.mirror, to)).toBe(1)
    await chown(to, 65_534, 65_534)
    await chmod(to, 0o640)
    expect(await copy(place.mirror, to, true)).toBe(1)
    expect(await stat(to)).toMatchObject({ uid: 65_534, gid: 65_534, mode: 0o100_640 })
    // Somebody else may have put it there, to read the mirror.
    for (const [mode, owner] of [
      [0o777, 0],
      [0o775, 0],
      [0o755, 65_534],
    ] as const) {
      await chmod(to, 0o640)
      await chown(to, 65_534, 65_534)
      await chmod(place.path, mode)
      await chown(place.path, owner, 0)
      expect(await copy(place.mirror, to, true)).toBe(1)
      expect(await stat(to)).toMatchObject({ uid: 0, mode: 0o100_600 })
    }
  })
})
