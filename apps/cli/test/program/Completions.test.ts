import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { program } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"
import { hasTmux, open } from "../harness/Screen.ts"

/** A folder with two profiles and files. */
let folder: string
const settings = () => join(folder, "deedkit", "config.json")
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deedkit-completions-"))
  await mkdir(join(folder, "deedkit"))
  const profile = { baseUrl: "https://api.example.com", key: null, cursor: null, learnt: null }
  const profiles = { version: 1, current: "athens", profiles: { athens: profile, porto: profile } }
  await writeFile(settings(), JSON.stringify(profiles))
  for (const name of ["march.csv", "may report.csv"]) await writeFile(join(folder, name), "")
  await mkdir(join(folder, "bin"))
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  await writeFile(join(folder, "bin", "deedkit"), script, { mode: 0o755 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a script is told about a line up to the cursor: how to complete, and the words. */
const ask = async (line: string): Promise<ReadonlyArray<string>> => {
  const typed = line.split(" ")
  const args = [`--complete=${typed.pop()}`, ...typed]
  const { code, stderr, stdout } = await call(args, { env: { XDG_CONFIG_HOME: folder } })
  expect([code, stderr]).toEqual([0, ""])
  return stdout
    .trimEnd()
    .split("\n")
    .map((each) => each.replace(/\t.*/, ""))
}

const files = ["files"]
const none = ["words"]

describe("completions", () => {
  it.each<readonly [line: string, answer: ReadonlyArray<string>]>([
    ["exp", ["words", "export"]],
    ["contracts ", ["words", "list", "get", "count"]],
    ["contracts list --wh", ["words", "--where"]],
    ["ls --wh", ["words", "--where"]],
    ["--quiet contracts list --wh", ["words", "--where"]],
    ["contracts list --format c", ["words", "csv"]],
    ["contracts list --format=c", ["words", "--format=csv"]],
    ["contracts list --columns stat", ["words", "status"]],
    ["contracts list --columns id,stat", ["words", "id,status"]],
    ["contracts list --columns status,stat", none],
    ["keys list --columns rev", ["words", "revoked_at", "revoked"]],
    ["contracts list --sort -upd", ["words", "-updated_at"]],
    ["contracts list --json=id,stat", ["words", "--json=id,status"]],
    ["contracts count --by stat", ["words", "status"]],
    ["contracts list --where stat", ["open", "status="]],
    ["contracts list --where status=", ["words", "status=draft", "status=active", "status=ended"]],
    ["contracts list --where 'status!=draft,a", ["words", "status!=draft,active"]],
    ["contracts list --where city=", none],
    ["contracts list --where constructor=", none],
    ["export contracts --time-zone Europe/Ath", ["words", "Europe/Athens"]],
    ["export contracts --no-m", ["words", "--no-manifest"]],
    ["export contracts --out mar", files],
    ["export contracts --out=mar", files],
    ["export contracts -o mar", files],
    ["export contracts mar", files],
    ["export contracts one.csv mar", files],
    ["export contracts -- --wh", files],
    ["export verify mar", files],
    ["contracts list --from mar", files],
    ["auth login --key-file mar", files],
    ["sync --to mar", files],
    ["sync sta", ["words", "status"]],
    ["sync status mar", files],
    ["contracts get 1", none],
    ["contracts list mar", none],
    ["contracts list --limit mar", none],
    ["nonsense mar", none],
    ["me --profile p", ["words", "porto"]],
    ["me --profile=p", ["words", "--profile=porto"]],
    ["profile remove p", ["words", "porto"]],
    ["api /v1/m", ["open", "/v1/me/"]],
    ["--completions z", ["words", "zsh"]],
    ["--complet", ["words", "--completions"]],
  ])("of deedkit %s", async (line, answer) => {
    expect(await ask(line)).toEqual(answer)
  })

  it("never offer what is hidden", async () => {
    expect(await ask("contracts list --json")).toEqual(["words", "--json"])
  })

  it("offer no profiles if their file is broken", async () => {
    expect(await ask("profile use p")).toEqual(["words", "porto"])
    const whole = await readFile(settings())
    await writeFile(settings(), "{")
    expect(await ask("profile use p")).toEqual(none)
    await writeFile(settings(), whole)
  })

  it("have a script for each shell, that of zsh with its mark in the first line", async () => {
    for (const [shell, start] of [
      ["bash", "_deedkit()"],
      ["sh", "_deedkit()"],
      ["zsh", "#compdef deedkit\n"],
      ["fish", "function"],
      ["powershell", "Register-ArgumentCompleter"],
      ["pwsh", "Register-ArgumentCompleter"],
    ]) {
      const { code, stderr, stdout } = await call(["--completions", shell!])
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout.startsWith(start!)).toBe(true)
    }
    const refused = await call(["--completions", "tcsh"])
    expect([refused.code, refused.stdout]).toEqual([2, ""])
    expect(refused.stderr).toContain("bash")
  })
})

/** Shells without settings of their own, whose prompt is `$ `. */
const shells = {
  bash: ["bash", "--norc", "-i"],
  zsh: ["zsh", "-f", "-i"],
  fish: ["fish", "--no-config", "-C", "function fish_prompt; echo '$ '; end"],
} as const

const load = {
  bash: "source <(deedkit --completions bash)",
  zsh: "autoload -Uz compinit; compinit -u -D; source <(deedkit --completions zsh)",
  fish: "deedkit --completions fish | source",
} as const

const isThere = (shell: string): boolean =>
  spawnSync(shell, ["-c", "exit 0"], { stdio: "ignore" }).status === 0

describe.runIf(hasTmux)("completions in a terminal", () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    it(`of ${shell} complete commands, values and names of files`, async ({ skip }) => {
      skip(!isThere(shell), `${shell} is not on this machine: its completions are not tested`)
      const env = {
        PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
        HOME: folder,
        XDG_CONFIG_HOME: folder,
      }
      await using screen = await open({ columns: 120, cwd: folder, env, shell: shells[shell] })
      await screen.type(`${load[shell]}; clear; echo load""ed`)
      await screen.until(/loaded/)
      for (const [typed, completed] of [
        ["deedkit exp", /deedkit export/],
        ["deedkit export verify mar", /verify march\.csv/],
        ["deedkit export verify may", /verify may\\ report\.csv/],
        ["deedkit export contracts --out=mar", /--out=march\.csv/],
        ["deedkit export contracts -o mar", /-o march\.csv/],
        ["deedkit contracts list --where stat", /--where status=/],
        ["deedkit contracts list --where status=a", /--where status=active/],
        ["deedkit contracts list --where 'status!=draft,a", /'status!=draft,active'/],
        ["deedkit contracts list --columns id,stat", /--columns id,status/],
        ["deedkit me --profile=po", /--profile=porto/],
        ["deedkit export contracts '$(touch bad)' mar", /'\$\(touch bad\)' march\.csv/],
      ] as const) {
        await screen.press(typed)
        await screen.press("Tab")
        await screen.until(completed)
        await screen.press("C-c")
        await screen.type("clear")
      }
      expect(existsSync(join(folder, "bad"))).toBe(false)
    }, 60_000)
  }
})
