/** What people see in a real terminal, wide and narrow, with and without colours, and what happens when they press Ctrl-C. */
import { writeFile } from "node:fs/promises"
import { devNull } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench, program } from "../../harness/Cli.ts"
import type { Screen } from "../../harness/Screen.ts"
import { hasTmux, open } from "../../harness/Screen.ts"

const required = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1"
if (!hasTmux && !required)
  console.warn("SKIPPED: tmux is not installed, so nothing is tried in a real terminal.")

/** A terminal in which `deedkit` is the program, connected to the emulator. */
const terminal = async (it: Bench, columns: number, env: Record<string, string> = {}): Promise<Screen> => {
  await writeFile(join(it.folder, "deedkit"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  })
  return open({
    columns,
    cwd: it.folder,
    env: {
      PATH: `${it.folder}:${process.env["PATH"]}`,
      HOME: it.folder,
      XDG_CONFIG_HOME: join(it.folder, "config"),
      XDG_CACHE_HOME: devNull,
      DEEDKIT_BASE_URL: it.url,
      DEEDKIT_API_KEY: it.emulator.apiKey,
      TZ: "UTC",
      ...env,
    },
  })
}

const limited = { contracts: 1_200, faults: ["rate-limit:retryAfter=4,page=5,times=1", "latency:ms=300"] }
const escape = "\u001B"

describe.runIf(hasTmux || required).each([80, 40])("in %i columns", (columns) => {
  it("an export says why it waits, stops at Ctrl-C with the command to resume, and resumes", async () => {
    await using it = await bench(limited)
    await using screen = await terminal(it, columns)
    await screen.type("clear; deedkit export contracts --out o.xlsx --page-size 100")
    await screen.until(/rate limited; the server asked for 4 s;\s+resuming at \d\d:\d\d:\d\d/)
    await screen.until(/contracts: 5 pages, 500 records/)
    await screen.press("C-c")
    const stopped = await screen.until(/Interrupted\.\n[$#]/)
    expect(stopped.join(" ")).toMatch(/o\.xlsx was not written\. \d pages are saved\. To resume:/)
    expect(stopped.join("").replaceAll(/\s/g, "")).toContain(
      "deedkitexportcontracts--outo.xlsx--page-size100--resume",
    )
    expect(stopped.join("\n")).not.toContain("pages, 500 records")

    await screen.type("clear; deedkit export contracts --out o.xlsx --page-size 100 --resume")
    const done = await screen.until(/o\.xlsx: 1,200 rows/)
    expect(done.join(" ").replaceAll(/\s+/g, " ")).toMatch(
      /1,200 contracts in 13 pages, read [\d:-]+, resumed after \d+(?:\.\d)? s, \d{3} contracts from before, (?:\d retr(?:y|ies), )?complete\./,
    )
    for (const line of done) expect(line.length).toBeLessThanOrEqual(columns)
  }, 60_000)

  it("a list fits, and nothing of it wraps", async () => {
    await using it = await bench()
    await using screen = await terminal(it, columns)
    await screen.type("clear; deedkit contracts list --page-size 12")
    const lines = await screen.until(/Use\s+--all\s+to\s+list\s+all\s+contracts/)
    expect(lines[0]).toMatch(/^Contract +Status/)
    for (const line of lines.slice(1, 13)) expect(line).toMatch(/^ +\d{4} +\S+ +\S/)
  })
})

/** What is seen as one text. A word that the edge has cut in two is two words in it. */
const flat = (lines: ReadonlyArray<string>): string =>
  lines
    .map((line) => line.trim())
    .join(" ")
    .replaceAll(/\s+/g, " ")

const expectTold = (lines: ReadonlyArray<string>, ...texts: ReadonlyArray<string>): void => {
  for (const text of texts) expect(flat(lines)).toContain(text)
}

describe.runIf(hasTmux || required).each([80, 40])("for a key, in %i columns", (columns) => {
  it("a login asks, does not show what is pasted, and says what works; status and logout follow", async () => {
    await using it = await bench()
    const { contractsOnly } = it.emulator.secrets
    await using screen = await terminal(it, columns)
    await screen.type("unset DEEDKIT_BASE_URL DEEDKIT_API_KEY; clear; deedkit auth login --insecure-storage")
    expectTold(await screen.until(/^Base URL: *$/m), "without /v1/, like https://api.example.com Base URL:")
    await screen.type(it.url)
    await screen.until(/^API key: *$/m)
    await screen.paste(contractsOnly)
    const done = await screen.until(/anyone\s+who\s+can\s+read\s+your\s+files\./)
    expect(done.join("").replaceAll(/\s/g, "")).not.toContain(contractsOnly.slice(-12))
    expectTold(
      done,
      `Base URL: ${it.url} An API key from the service's dashboard (Settings, Integrations). Input is hidden. API key: me:`,
      "me: not allowed; the specification does not say which scope it needs contracts: works",
      "API keys: not allowed: the key lacks the scope read:api_keys",
      `the key …${contractsOnly.slice(-4)} is saved in plaintext in`,
    )

    await screen.type("clear; deedkit auth status")
    expectTold(
      await screen.until(/cannot\s+be\s+read\s+without\s+read:api_keys/),
      "Profile default Base URL http://127.0.0.1:",
      "which is insecure (profile default) Insecure a key of this profile is saved in plaintext;",
      "Can read API keys not allowed: the key lacks the scope read:api_keys",
    )

    await screen.type("clear; deedkit config explain")
    expectTold(
      await screen.until(/profiles are in/),
      "profile default [the current profile] base URL http://127.0.0.1:",
      "attempts 4, or 6 where everything is read [default]",
    )

    await screen.type("clear; deedkit auth logout")
    expectTold(
      await screen.until(/if\s+it\s+is\s+not\s+needed\./),
      "revoke it in the service's dashboard (Settings, Integrations) if it is not needed.",
    )
  }, 60_000)

  it("a login asks again after a mistake, and offers a file where there is no keychain", async () => {
    await using it = await bench()
    const { apiKey, secrets } = it.emulator
    await using screen = await terminal(it, columns, { DBUS_SESSION_BUS_ADDRESS: "none:" })
    await screen.type("unset DEEDKIT_BASE_URL DEEDKIT_API_KEY; clear; deedkit auth login")
    await screen.until(/^Base URL: *$/m)
    await screen.type("nonsense")
    await screen.until(/This is not an address[^]*^Base URL: *$/m)
    await screen.type(`${new URL(it.url).host}/v1/`)
    await screen.until(/^Save it there\? \[Y\/n\] *$/m)
    await screen.press("Enter")
    await screen.until(/^API key: *$/m)
    await screen.paste(secrets.revoked)
    await screen.until(/did\s+not\s+accept\s+the\s+API\s+key[^]*^API key: *$/m)
    await screen.paste(apiKey)
    const done = await screen.until(/stays\s+in\s+the\s+file/)
    const seen = done.join("").replaceAll(/\s/g, "")
    for (const key of [secrets.revoked, apiKey]) expect(seen).not.toContain(key.slice(-12))
    await screen.type("clear; deedkit auth logout")
    await screen.until(/is\s+deleted/)
  }, 60_000)

  it("Ctrl-C at a prompt ends it, and nothing is saved", async () => {
    await using it = await bench()
    await using screen = await terminal(it, columns)
    await screen.type("unset DEEDKIT_API_KEY; clear; deedkit auth login --insecure-storage")
    await screen.until(/^API key: *$/m)
    await screen.press("C-c")
    await screen.until(/^Interrupted\.\n[$#]/m)
    // Compiled code of the program is kept between starts.
    expect((await it.files()).filter((name) => name !== ".cache")).toEqual(["deedkit"])
  })
})

describe.runIf(hasTmux || required).each([80, 40])("a checkup, in %i columns", (columns) => {
  it("is read from top to bottom, each answer beside or below what it is about", async () => {
    await using it = await bench({ assumptions: { cursorParameter: "after", errorShape: "nested" } })
    await using screen = await terminal(it, columns)
    await screen.type("clear; deedkit doctor")
    const lines = await screen.until(/assumed:\s+not\s+contradicted\./)
    expectTold(
      lines,
      "cursor parameter verified after; before_id has no effect (3 new records on the second page) --cursor-param",
      "order of ids verified descending (observed on these pages, not relied on)",
      "body of an error verified 404 {ok: boolean, error: {code: string, message: string, request_id: string}}",
      "18 requests. documented: in the specification;",
    )
    expect(flat(lines)).not.toContain("waiting for the rate limiter")

    await screen.type("clear; DEEDKIT_BASE_URL=http://127.0.0.1:1 deedkit doctor --attempts 1")
    expectTold(
      await screen.until(/try\s+again\./),
      "address verified ! http://127.0.0.1:1 does not answer (ECONNREFUSED) --base-url",
      "Check the address and the network, then try again.",
    )
  }, 60_000)
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

      await screen.type("clear; deedkit doctor")
      await screen.until(/Records\n +records/)
      const checkup = (await screen.see(true)).join("\n")
      expect([env, checkup.includes(`${escape}[32mverified`)]).toEqual([env, coloured])
    }
  })
})
