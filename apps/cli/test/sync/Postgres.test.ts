import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

const holdsPassword = "postgres://owner:secret-of-this-test@127.0.0.1:1/warehouse"

describe("a mirror in PostgreSQL", () => {
  it.each([
    holdsPassword,
    "postgres://owner@127.0.0.1:1/warehouse?password=secret-of-this-test",
    "postgres://owner:secret-of-this-test@/warehouse",
  ])("is refused where its address holds a password: %s", async (address) => {
    await using it = await bench()
    const { code, stderr } = await it.run(["sync", "--to", address])
    expect(code).toBe(2)
    expect(stderr).toContain("PGPASSWORD")
    expect(stderr).not.toContain("secret-of-this-test")
  })

  it.each([
    "host=127.0.0.1 port=5432 dbname=w user=app",
    "dbname = w",
    "password=secret-of-this-test dbname=w",
    "sqlite:m.sqlite",
    "file:m.sqlite?mode=rwc",
    "postgres:w",
    "postgresql+psycopg2://app@h/w",
    "jdbc:postgresql://h/w",
    " postgres://app@h/w",
    "mysql://app@h/w",
    "Server=h;Database=w",
    "m.sqlite;Pooling=true",
    "m.sqlite?mode=ro",
    "postgres",
    "folder/",
    "$DATABASE_URL",
    "${DATABASE_URL}",
    "%DATABASE_URL%",
    "db.example.test:5432/w",
    "app@h:5432",
  ])("is refused, and not taken for a file, where its address has another form: %s", async (address) => {
    await using it = await bench()
    const { code, stderr } = await it.run(["sync", "--to", address])
    expect([code, await it.files()]).toEqual([2, []])
    expect(stderr).toContain("postgres://user@host:5432/database")
    expect(stderr).not.toContain("secret-of-this-test")
  })

  it("is refused without a name, and is a file with a name that is a path", async () => {
    await using it = await bench({ contracts: 1 })
    const sync = async (to: string) => (await it.run(["sync", "--to", to, "--only", "contracts"])).code
    expect([await sync(" "), await it.files()]).toEqual([2, []])
    expect([await sync("./postgres"), await it.files()]).toEqual([0, ["postgres"]])
  })

  it("that cannot be reached fails the command as a network does", async () => {
    await using it = await bench()
    const { code, stderr } = await it.run(["sync", "--to", "postgres://owner@127.0.0.1:1/warehouse"])
    expect(code).toBe(7)
    expect(stderr).toContain("The mirror postgres://127.0.0.1:1/warehouse cannot be reached (ECONNREFUSED).")
  })

  it("is at the host of PGHOST where its address has a user and no host", async () => {
    await using it = await bench()
    const env = { PGHOST: "127.0.0.2", PGPORT: "1" }
    for (const to of ["postgres://owner@/warehouse", "postgres://owner@/warehouse?sslmode=disable"]) {
      const { code, stderr } = await it.run(["sync", "--to", to], { env })
      expect(code).toBe(7)
      expect(stderr).toContain("postgres://127.0.0.2/warehouse cannot be reached")
    }
  })

  it("obeys PGCONNECT_TIMEOUT, and refuses the variables that it does not obey", async () => {
    await using it = await bench()
    const to = "postgres://owner@127.0.0.1:1/warehouse"
    for (const [env, problem] of [
      [{ PGCONNECT_TIMEOUT: "soon" }, "Not a number of seconds: the variable PGCONNECT_TIMEOUT"],
      [{ PGSSLMINPROTOCOLVERSION: "TLSv1.3" }, "The variable PGSSLMINPROTOCOLVERSION is set"],
    ] as const) {
      const { code, stderr } = await it.run(["sync", "--to", to], { env })
      expect(code).toBe(2)
      expect(stderr).toContain(problem)
    }
  })

  it("takes everything before the @ for the user where it has no host", async () => {
    await using it = await bench()
    const env = { PGHOST: "127.0.0.2", PGPORT: "1" }
    for (const user of ["night+owner", "a&sslmode=none"]) {
      const { code, stderr } = await it.run(["sync", "--to", `postgres://${user}@/warehouse`], { env })
      expect([user, code]).toEqual([user, 7])
      expect(stderr).toContain("postgres://127.0.0.2/warehouse cannot be reached")
    }
  })
})
