import { describe, expect, it } from "vitest"
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
