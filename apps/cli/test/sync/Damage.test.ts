import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Fleet from "@deedkit/config/fleet"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

/** Four accounts in a mirror. */
const office = async () => {
  const it = await bench()
  const fleet = await Fleet.start({
    emulators: [1, 2, 3, 4].map((seed) => make({ contracts: 5, seed })),
    listen,
    seed: 1,
  })
  const accounts = join(it.folder, "accounts.jsonl")
  const lines = fleet.served.map(({ baseUrl, name }, at) => ({ name, baseUrl, keyEnv: `KEY_${at}` }))
  await writeFile(accounts, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const mirror = join(it.folder, "mirror.sqlite")
  const env = Object.fromEntries(fleet.served.map(({ apiKey }, at) => [`KEY_${at}`, apiKey]))
  const call = (...args: ReadonlyArray<string>) => it.call(["sync", ...args], { env })
  return {
    fleet,
    mirror,
    call,
    night: (concurrency: number) =>
      call("--accounts", accounts, "--to", mirror, "--concurrency", String(concurrency)),
    damage: (sql: string): void => {
      const db = new DatabaseSync(mirror)
      db.exec(sql)
      db.close()
    },
    [Symbol.asyncDispose]: async () => {
      await fleet[Symbol.asyncDispose]()
      await it[Symbol.asyncDispose]()
    },
  }
}

const last = "(select max(run) from sync_run where account = 'acct-1' and collection = 'contracts')"

describe("an account whose rows were changed by something else", () => {
  it.each([
    ["a text that is no JSON", "update contract_history set body = 'x', hash = 'x'"],
    ["an identity that is no JSON", "update account set identity = 'x'"],
    [
      "a checkpoint that is no JSON",
      `insert into sync_page select ${last}, 0, '[]', 'x'; update sync_run set state = 'running'`,
    ],
    ["a number that is none of JavaScript's", "update sync_run set pages = 9223372036854775807"],
    [
      "ids of a page that are no JSON",
      `insert into sync_page select ${last}, 9, 'x', 'null'; update sync_run set state = 'running'`,
    ],
  ])("to %s fails alone, and is repaired as the message says", async (_, change) => {
    const run = change.includes("sync_run") ? ` and run = ${last}` : ""
    for (const concurrency of [1, 8]) {
      await using it = await office()
      expect((await it.night(8)).code).toBe(0)
      it.damage(`${change} where account = 'acct-1'${run}`)
      it.fleet.change(1, () => ({ added: 1, changed: 1, removed: 0 }))
      const { code, stderr } = await it.night(concurrency)
      expect([code, stderr]).toEqual([10, expect.stringContaining("1 of 4 accounts needs attention.\n")])
      expect(stderr).toContain(
        `acct-1: The account acct-1 is damaged in the mirror ${it.mirror}: its rows contradict each other, or cannot be read. Restore the mirror from a backup, or remove the account with \`deedkit sync forget\` and sync it again.\n`,
      )
      for (const name of ["acct-0", "acct-2", "acct-3"])
        expect(stderr).toContain(`${name}: 6 contracts, 1 added, 1 changed, complete (proven).\n`)
      const status = await it.call("status", it.mirror)
      expect(status.code).not.toBe(0)
      expect(status.stdout + status.stderr).toContain("The account acct-1 is damaged in the mirror ")
      expect((await it.call("forget", it.mirror, "acct-1")).code).toBe(0)
      expect((await it.night(8)).code).toBe(0)
      expect((await it.call("status", it.mirror)).code).toBe(0)
    }
  })

  it("to a deleted row of its own is shown as not complete, until it is synced or removed", async () => {
    await using it = await office()
    expect((await it.night(8)).code).toBe(0)
    it.damage("pragma foreign_keys = off; delete from account where account in ('acct-1', 'acct-2')")
    const status = await it.call("status", it.mirror)
    expect([status.code, status.stderr]).toEqual([9, "2 of 4 accounts need attention.\n"])
    expect(status.stdout).toMatch(
      /^acct-1 +5 +12 +not complete .*\n {2}Its row in the table account was deleted, so it is not known whose records these are\. Sync it again, or remove it with `deedkit sync forget`\.$/m,
    )
    expect((await it.call("forget", it.mirror, "acct-1")).code).toBe(0)
    expect((await it.night(8)).code).toBe(0)
    expect((await it.call("status", it.mirror)).code).toBe(0)
  })

  it("does not fail alone where the file itself is damaged", async () => {
    await using it = await office()
    expect((await it.night(8)).code).toBe(0)
    it.damage("drop table sync_page")
    const { code, stderr } = await it.night(1)
    expect([code, stderr]).toEqual([
      10,
      `The mirror ${it.mirror} is damaged. Restore it from a backup, or move it away and sync again: the history starts again.\n`,
    ])
  })
})
