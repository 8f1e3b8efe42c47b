/** What people see in a real terminal, wide and narrow, with and without colours, and what happens when they press Ctrl-C. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "./Cli.ts"
import { bench } from "./Cli.ts"
import type { Screen } from "./Screen.ts"
import { hasTmux, open } from "./Screen.ts"

const required = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1"
if (!hasTmux && !required)
  console.warn("SKIPPED: tmux is not installed, so nothing is tried in a real terminal.")

const app = join(import.meta.dirname, "..")

/** A terminal in which `deedkit` is the program, connected to the stand-in. */
const terminal = async (it: Bench, columns: number, env: Record<string, string> = {}): Promise<Screen> => {
  await writeFile(
    join(it.folder, "deedkit"),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@deedkit/source "${join(app, "src", "bin.ts")}" "$@"\n`,
    { mode: 0o755 },
  )
  return open({
    columns,
    cwd: it.folder,
    env: {
      PATH: `${it.folder}:${process.env["PATH"]}`,
      HOME: it.folder,
      XDG_CONFIG_HOME: join(it.folder, "config"),
      DEEDKIT_BASE_URL: it.url,
      DEEDKIT_API_KEY: it.emulator.apiKey,
      TZ: "UTC",
      ...env,
    },
  })
}

const limited = { contracts: 1_200, faults: ["rate-limit:retryAfter=2,page=5,times=1", "latency:ms=60"] }
const escape = "\u001B"

describe.runIf(hasTmux || required).each([80, 40])("in %i columns", (columns) => {
  it("an export says why it waits, stops at Ctrl-C with the way to go on, and goes on", async () => {
    await using it = await bench(limited)
    await using screen = await terminal(it, columns)
    await screen.type("clear; deedkit export contracts --out o.xlsx --limit 100")
    await screen.until(/rate limited; the server asked for 2 s;\s+going on at \d\d:\d\d:\d\d/)
    await screen.until(/contracts: 4 pages, 400 records/)
    await screen.press("C-c")
    const stopped = await screen.until(/Interrupted\.\n[$#]/)
    expect(stopped.join(" ")).toMatch(/No o\.xlsx was made yet\. \d pages are kept; go on with:/)
    expect(stopped.join("").replaceAll(/\s/g, "")).toContain(
      "deedkitexportcontracts--outo.xlsx--limit100--resume",
    )
    expect(stopped.join("\n")).not.toContain("pages, 400 records")

    await screen.type("clear; deedkit export contracts --out o.xlsx --limit 100 --resume")
    const done = await screen.until(/o\.xlsx: 1,200 rows/)
    expect(done.join(" ").replaceAll(/\s+/g, " ")).toContain(
      "1,200 contracts in 12 pages, 0 duplicates, end reached, cursor before_id verified.",
    )
    for (const line of done) expect(line.length).toBeLessThanOrEqual(columns)
  }, 60_000)

  it("a list fits, and nothing of it wraps", async () => {
    await using it = await bench()
    await using screen = await terminal(it, columns)
    await screen.type("clear; deedkit contracts list --limit 12")
    const lines = await screen.until(/--all\s+shows\s+all\s+of\s+them/)
    expect(lines[0]).toMatch(/^Contract +Status/)
    for (const line of lines.slice(1, 13)) expect(line).toMatch(/^ +\d{4} +\S+ +\S/)
  })
})

describe.runIf(hasTmux || required)("colours", () => {
  it("are there for people who can see them, and not with NO_COLOR or a dumb terminal", async () => {
    await using it = await bench()
    for (const [env, coloured] of [
      [{}, true],
      [{ NO_COLOR: "1" }, false],
      [{ TERM: "dumb" }, false],
    ] as const) {
      await using screen = await terminal(it, 80, env)
      await screen.type("clear; deedkit keys list")
      await screen.until(/Key +Name/)
      const text = (await screen.see(true)).join("\n")
      expect([env, text.includes(`${escape}[1m`)]).toEqual([env, coloured])
    }
  })
})
