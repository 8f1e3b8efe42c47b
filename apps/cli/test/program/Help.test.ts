import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as ExitCode from "../../src/failure/ExitCode.ts"
import { call } from "../harness/InProcess.ts"

const root = join(import.meta.dirname, "../../../..")

interface Page {
  readonly command: ReadonlyArray<string>
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The names under the heading of subcommands. */
const subcommandsIn = (help: string): ReadonlyArray<string> =>
  (/^SUBCOMMANDS\n((?: {2}.+\n)+)/m.exec(`${help}\n`)?.[1] ?? "")
    .split("\n")
    .flatMap((line) => /^ {2}([a-z][a-z\d-]*)/.exec(line)?.[1] ?? [])

const examplesOf = (help: string): string => /^EXAMPLES\n([^]*)$/m.exec(help)?.[1] ?? ""

/** The help of a command and of all commands below it. */
const pagesOf = async (command: ReadonlyArray<string>): Promise<ReadonlyArray<Page>> => {
  const page = { command, ...(await call([...command, "--help", "--all"])) }
  const below = await Promise.all(subcommandsIn(page.stdout).map((name) => pagesOf([...command, name])))
  return [page, ...below.flat()]
}

const pages = await pagesOf([])

describe("help", () => {
  it("is found for the commands that there are", () => {
    const names = pages.map(({ command }) => command.join(" "))
    for (const name of ["contracts list", "contracts get", "keys list", "keys get", "mcp", "me", "demo"]) {
      expect(names).toContain(name)
    }
  })

  it.each(pages.map(({ command, ...page }) => [command.join(" "), page] as const))(
    "of deedkit %s is on standard output, says what it is for and shows examples",
    (command, { code, stderr, stdout }) => {
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toMatch(/^DESCRIPTION\n {2}\S/)
      expect(stdout).toContain("FLAGS\n")
      expect(examplesOf(stdout)).toContain(`deedkit${command === "" ? "" : ` ${command}`}`)
    },
  )

  it.each(pages.map(({ command }) => [command.join(" "), command] as const))(
    "of deedkit %s fits a window of 80 columns and 25 lines, and wraps in a narrow one",
    async (_, command) => {
      for (const columns of [80, 60, 120]) {
        const { stdout } = await call([...command, "--help"], { columns, env: { NO_COLOR: "1" } })
        const lines = stdout.trimEnd().split("\n")
        // An example is for copying, and is not wrapped.
        const wrapped = lines.slice(0, lines.indexOf("EXAMPLES"))
        expect(wrapped.filter((line) => line.length > columns)).toEqual([])
        if (columns === 80) expect(lines.length).toBeLessThanOrEqual(25)
        expect(stdout).toContain("--help --all")
      }
    },
  )

  it("shows commands before flags, and those of all commands only on request", async () => {
    const { stdout } = await call(["contracts", "--help"])
    expect(stdout.indexOf("SUBCOMMANDS")).toBeLessThan(stdout.indexOf("--help --all"))
    expect(stdout).not.toContain("--cursor-param")
    expect((await call(["contracts", "list", "--help", "--all"])).stdout).toContain("--cursor-param NAME")
  })

  it("of the program and the guide name every exit code", async () => {
    const guide = await readFile(join(import.meta.dirname, "..", "..", "docs", "scripts.md"), "utf8")
    const rows = [...guide.matchAll(/^\| (\d+) +\| \S/gm)].map(([, code]) => Number(code))
    const wanted = [...Object.values(ExitCode.codes), ...Object.values(ExitCode.signalCodes)]
    expect(new Set(rows)).toEqual(new Set(wanted))
    const help = pages.find(({ command }) => command.length === 0)?.stdout ?? ""
    const said = /Exit codes: ([^]*?)\.\n/.exec(help)?.[1] ?? ""
    expect(new Set(said.match(/\d+/g)?.map(Number))).toEqual(new Set(wanted))
  })

  const shellLines = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .map((file) => readFileSync(join(root, file), "utf8"))
    .flatMap((text) => Array.from(text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm), ([, block = ""]) => block))
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, "").split("\n"))

  it.each([
    ["it", pages.flatMap(({ stdout }) => examplesOf(stdout).split("\n"))],
    ["the documents", shellLines],
  ])("has examples in %s whose commands and flags exist", (_, lines) => {
    const helps = new Map(pages.map(({ command, stdout }) => [command.join(" "), stdout]))
    const flags = lines.flatMap((line) =>
      [...line.replace(/(?:^| )#.*/, "").matchAll(/(?:^ *|[|;(&] *)deedkit ([^|<>;&]+)/g)].flatMap(
        ([, call = ""]) => {
          const words = call.trim().split(/\s+/)
          const longest = words.findLastIndex((_, index) => helps.has(words.slice(0, index + 1).join(" ")))
          const help = helps.get(words.slice(0, longest + 1).join(" ")) ?? ""
          return words
            .flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? [])
            .map((flag) => ({ line, flag, help }))
        },
      ),
    )
    expect(flags.length).toBeGreaterThan(20)
    expect(
      flags.filter(({ flag, help }) => !help.includes(flag)).map(({ flag, line }) => `${flag} in ${line}`),
    ).toEqual([])
  })
})
