/**
 * The guide is true: each command that it shows is run, and says what the guide says it says. It is run as its reader would: with a profile
 * that its own login made. Figures that differ from run to run (times of day, addresses, ages in days) are compared by their form; a line
 * of `...` stands for any lines.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examplesIn, matches, plain, show } from "../harness/Guide.ts"

const app = join(import.meta.dirname, "..", "..")
/** In the order in which a reader meets them: what one page sets up, later ones use. */
const pages = [
  "install",
  "keys",
  "doctor",
  "exports",
  "complete",
  "lists",
  "mirror",
  "nightly",
  "scripts",
  "assistants",
  "errors",
]
const texts = await Promise.all(pages.map((name) => readFile(join(app, "docs", `${name}.md`), "utf8")))
const examples = examplesIn(texts.join("\n"))

describe("the guide", () => {
  const emulator = make()
  let server: Awaited<ReturnType<typeof listen>>
  let folder: string

  const run = (command: string, env: object = {}) =>
    show(folder, command.replaceAll("https://api.example.com", server.url), env)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-readme-"))
    server = await listen(emulator)
    await writeFile(join(folder, ".deedkit-key"), `${emulator.apiKey}\n`, { mode: 0o600 })
    // Two months of another account, for the comparison.
    const account = make()
    const other = await listen(account)
    const { contracts, insert, update } = account.store
    const [first, second] = contracts
    update(second!.id, { unit_label: "3B" })
    const exporting = "deedkit export contracts --columns id,status,unit_label --quiet"
    const env = { DEEDKIT_BASE_URL: other.url, DEEDKIT_API_KEY: account.apiKey }
    await run(`${exporting} --out march.csv`, env)
    update(first!.id, { status: "ended" })
    update(second!.id, { unit_label: "3C" })
    insert({ status: "draft" })
    await run(`${exporting} --out april.csv`, env)
    await other.close()
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it("shows commands, on these pages", async () => {
    expect(examples.length).toBeGreaterThan(9)
    const files = (await readdir(join(app, "docs"))).filter((name) => name.endsWith(".md"))
    expect(files.toSorted()).toEqual(pages.map((name) => `${name}.md`).toSorted())
  })

  it.each(examples)("$command", async ({ command, output }) => {
    const got = (await run(command)).map(plain)
    const wanted = output.map(plain)
    expect(matches(wanted, got) ? wanted : got).toEqual(wanted)
  })
})
