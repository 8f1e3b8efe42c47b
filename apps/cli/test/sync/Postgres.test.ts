import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Server } from "../../../../packages/sync-postgres/test/harness/Postgres.ts"
import { hasPostgres, password, start } from "../../../../packages/sync-postgres/test/harness/Postgres.ts"
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

describe.skipIf(!hasPostgres)("with a server", () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  it("is filled and read by the commands that a file is, with the password of the environment", async () => {
    await using it = await bench()
    const address = (await server.database("warehouse")).replace(`:${password}@`, "@")
    const env = { PGPASSWORD: password }
    const synced = await it.run(["sync", "--to", address], { env })
    expect(synced.code).toBe(0)
    expect(synced.stderr).toContain("1 account is complete in postgres://owner@127.0.0.1")
    const status = await it.run(["sync", "status", address, "--json"], { env })
    expect(status.code).toBe(0)
    expect(status.stdout).toContain('"proven"')
    const changes = await it.run(["sync", "changes", address, "--since", "1d"], { env })
    expect(changes.code).toBe(0)
    expect((await it.run(["sync", "status", address], { env: { PGPASSWORD: "wrong" } })).code).toBe(4)
  })
})
