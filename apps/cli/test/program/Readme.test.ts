/**
 * The guide is true: each command that it shows is run, and says what the guide says it says. It is run as its reader would: with a profile
 * that its own login made. Figures that differ from run to run (times of day, addresses, ages in days) are compared by their form; a line
 * of `...` stands for any lines.
 */
import { spawn } from "node:child_process"
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { program } from "../harness/Cli.ts"

const app = join(import.meta.dirname, "..", "..")
const readme = await readFile(join(app, "README.md"), "utf8")

interface Example {
  readonly command: string
  readonly output: ReadonlyArray<string>
}

const examples: ReadonlyArray<Example> = [...readme.matchAll(/^```console\n([^]*?)^```$/gm)].flatMap(
  ([, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = "", ...output] = text.trimEnd().split("\n")
        return { command, output }
      }),
)

const plain = (line: string): string =>
  line
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\d\d:\d\d:\d\d/g, "CLOCK")
    .replaceAll(/\b\d{4}-\d\d-\d\d$/g, "TODAY")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+|https:\/\/api\.example\.com/g, "ADDRESS")
    .replaceAll(/\bkey [\da-f]{16}\b/g, "key FINGERPRINT")
    .replaceAll(/\b\d+ days\b/g, "DAYS")
    .replaceAll(/ {2,}/g, "  ")
    .trimEnd()

/** The words of a command line, quotes taken off. */
const words = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "")

const matches = (wanted: ReadonlyArray<string>, got: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = wanted
  if (first === undefined) return got.length === 0
  if (first === "...") return got.some((_, at) => matches(rest, got.slice(at))) || matches(rest, [])
  return got[0] === first && matches(rest, got.slice(1))
}

describe("the guide", () => {
  const emulator = make()
  let server: Awaited<ReturnType<typeof listen>>
  let folder: string

  /** Both streams into one file, as on a screen. */
  const run = async (command: string, env: object = {}): Promise<ReadonlyArray<string>> => {
    const atHome = words(command.replaceAll("https://api.example.com", server.url)).map((word) =>
      word.replace(/^~/, folder),
    )
    const path = join(folder, ".screen")
    const screen = await open(path, "w")
    const child = spawn(process.execPath, [program, ...atHome.slice(1)], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, ".config"),
        TZ: "UTC",
        ...env,
      },
      stdio: ["ignore", screen.fd, screen.fd],
    })
    await new Promise((resolve) => child.once("close", resolve))
    await screen.close()
    const text = (await readFile(path, "utf8")).replaceAll(folder, "~").trimEnd()
    return text === "" ? [] : text.split("\n")
  }

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

  it("shows commands", () => {
    expect(examples.length).toBeGreaterThan(9)
  })

  it.each(examples)("$command", async ({ command, output }) => {
    const got = (await run(command)).map(plain)
    const wanted = output.map(plain)
    expect(matches(wanted, got) ? wanted : got).toEqual(wanted)
  })
})
