import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, password, start } from "@deedkit/config/postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

const holdsPassword = "postgres://owner:secret-of-this-test@127.0.0.1:1/warehouse"

describe("a mirror in PostgreSQL", () => {
  it.each([holdsPassword, "postgres://owner@127.0.0.1:1/warehouse?password=secret-of-this-test"])(
    "is refused where its address holds a password: %s",
    async (address) => {
      await using it = await bench()
      const { code, stderr } = await it.run(["sync", "--to", address])
      expect(code).toBe(2)
      expect(stderr).toContain("PGPASSWORD")
      expect(stderr).not.toContain("secret-of-this-test")
    },
  )

  it("that cannot be reached fails the command as a network does", async () => {
    await using it = await bench()
    const { code, stderr } = await it.run(["sync", "--to", "postgres://owner@127.0.0.1:1/warehouse"])
    expect(code).toBe(7)
    expect(stderr).toContain("The mirror postgres://127.0.0.1:1/warehouse cannot be reached (ECONNREFUSED).")
  })
})

describe.skipIf(!hasPostgres)("a mirror in a PostgreSQL server", () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it("is filled and read by the commands that a file is, with the password of the environment", async () => {
    await using it = await bench({ contracts: 120 })
    const address = (await server.database("warehouse")).replace(`:${password}@`, "@")
    const asked = async (args: ReadonlyArray<string>, env: object = { PGPASSWORD: password }) => {
      const ended = await it.run(args, { env: { ...env } })
      expect(ended.stdout + ended.stderr).not.toContain(password)
      return ended
    }
    const synced = await asked(["sync", "--to", address])
    expect([synced.code, synced.stderr]).toEqual([0, expect.stringContaining("1 account is complete in ")])
    const status = await asked(["sync", "status", address, "--json"])
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('"proven"')])
    const changes = await asked(["sync", "changes", `${address}?sslmode=disable`, "--since", "1d", "--json"])
    expect([changes.code, JSON.parse(changes.stdout)]).toEqual([
      0,
      expect.objectContaining({ mirror: "warehouse" }),
    ])
    it.emulator.journal.clear()
    const listed = await asked(["contracts", "list", "--from", address, "--all", "--json"])
    const { items } = JSON.parse(listed.stdout) as { readonly items: ReadonlyArray<unknown> }
    expect(items).toEqual(it.emulator.store.contracts.toSorted((one, other) => other.id - one.id))
    const report = await asked(["export", "report", "--from", address, "--out", "report.xlsx"])
    expect([report.code, report.stderr]).toEqual([0, expect.stringContaining("complete (proven)")])
    expect((await asked(["export", "verify", "report.xlsx"])).code).toBe(0)
    expect(it.emulator.journal.entries).toEqual([])
    expect((await asked(["sync", "status", address], { PGPASSWORD: "wrong" })).code).toBe(4)
  })
})
