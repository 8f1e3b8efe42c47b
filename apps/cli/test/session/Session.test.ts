import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

describe("the rate of a key", () => {
  const folderOf = (folder: string): string => join(folder, "state", "deedkit", "rate-limits")

  it("and its pauses are shared by all commands of a user: one is refused, and the next one waits", async () => {
    await using it = await bench({ faults: [{ name: "rate-limit", retryAfter: 3, when: { requests: [1] } }] })
    const env = { XDG_STATE_HOME: join(it.folder, "state") }
    const refused = await it.run(["me", "--attempts", "1"], { env })
    const waited = await it.run(["me", "--verbose"], { env })
    expect([refused.code, waited.code]).toEqual([6, 0])
    const [first, second] = it.emulator.journal.entries.map(({ at }) => Date.parse(at))
    expect(second! - first!).toBeGreaterThanOrEqual(3_000)
  })

  it("is in a file that holds figures and a fingerprint of the key", async () => {
    await using it = await bench({})
    const env = { XDG_STATE_HOME: join(it.folder, "state") }
    expect((await it.run(["me"], { env })).code).toBe(0)
    const names = await readdir(folderOf(it.folder))
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/)])
    const text = await readFile(join(folderOf(it.folder), names[0]!), "utf8")
    expect(Object.values(JSON.parse(text)).every((value) => typeof value === "number")).toBe(true)
  })

  it("is not kept with --rate 0, and a folder that cannot be used fails no command", async () => {
    await using it = await bench({})
    const off = await it.run(["me", "--rate", "0"], { env: { XDG_STATE_HOME: join(it.folder, "state") } })
    const broken = await it.run(["me"], { env: { XDG_STATE_HOME: "/proc/none" } })
    expect([off.code, broken.code, broken.stderr]).toEqual([0, 0, off.stderr])
    expect(await it.files()).toEqual([])
  })
})
