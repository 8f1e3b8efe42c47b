import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { devNull } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, vi } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench, lastJson, program } from "../../harness/Cli.ts"
import { hasTmux, open } from "../../harness/Screen.ts"

const required = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1"
if (!hasTmux && !required)
  console.warn("SKIPPED: tmux is not installed, so no terminal is closed and none is looked at.")

const signals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGQUIT", 131],
  ["SIGTERM", 143],
] as const
type Signal = (typeof signals)[number][0]

const exporting = ["export", "contracts", "--out", "out.csv", "--page-size", "50"]
const stalled = { faults: ["stall:page=4"] }

/** Runs an export that hangs at its fourth page, and sends it signals there. */
const interrupted = (it: Bench, flags: ReadonlyArray<string>, ...sent: ReadonlyArray<Signal>) =>
  it.run([...exporting, ...flags], {
    onStart: (child) => {
      const stop = it.emulator.journal.watch(({ fault }) => {
        if (fault !== "stall") return
        stop()
        for (const signal of sent) child.kill(signal)
      })
    },
  })

const kept = ["out.csv.interrupted.json", "out.csv.part.records"]
const hint =
  /out\.csv was not written\. [345] pages are saved\. To resume:\n {2}deedkit export contracts --out out\.csv --page-size 50 --resume\nInterrupted\.\n$/

describe("a signal", () => {
  it.each(signals)(
    "%s ends an export with %i: no part of a file is left, the pages are saved, and the command to resume is shown",
    async (signal, exitCode) => {
      await using it = await bench(stalled)
      const { code, stderr, stdout } = await interrupted(it, [], signal)
      expect([code, stdout, await it.files()]).toEqual([exitCode, "", kept])
      expect(stderr).toMatch(hint)
      it.emulator.faults.clear()
      const resumed = await it.run([...exporting, "--resume", "--quiet"])
      expect([resumed.code, await it.files()]).toEqual([0, ["out.csv", "out.csv.manifest.json"]])
    },
    60_000,
  )

  it("SIGHUP does nothing under nohup", async () => {
    await using it = await bench({ faults: ["latency:ms=100"] })
    const { code } = await it.run(exporting, {
      env: { _: "/usr/bin/nohup" },
      onStart: (child) => {
        const stop = it.emulator.journal.watch(() => {
          stop()
          child.kill("SIGHUP")
        })
      },
    })
    expect([code, await it.files()]).toEqual([0, ["out.csv", "out.csv.manifest.json"]])
  })

  it("SIGHUP does nothing in a script that runs under nohup", async () => {
    await using it = await bench({ faults: ["latency:ms=100"] })
    const child = spawn(
      "bash",
      ["-c", 'trap "" HUP; "$@" & echo $!; wait $!', "bash", process.execPath, program, ...exporting],
      {
        cwd: it.folder,
        env: { PATH: process.env["PATH"], DEEDKIT_BASE_URL: it.url, DEEDKIT_API_KEY: it.emulator.apiKey },
        stdio: ["ignore", "pipe", "ignore"],
      },
    )
    const [pid] = (await once(child.stdout, "data")) as [Buffer]
    const stop = it.emulator.journal.watch(() => {
      stop()
      process.kill(Number(pid), "SIGHUP")
    })
    expect([await once(child, "close"), await it.files()]).toEqual([
      [0, null],
      ["out.csv", "out.csv.manifest.json"],
    ])
  })

  it.each(["accounts", "key"])("ends a command that waits for a pipe without a writer: %s", async (what) => {
    await using it = await bench()
    execFileSync("mkfifo", ["-m", "600", join(it.folder, "pipe")])
    const words =
      what === "accounts" ? ["sync", "--to", "m.sqlite", "--accounts", "pipe"] : ["contracts", "list"]
    const env = what === "accounts" ? {} : { DEEDKIT_API_KEY: undefined, DEEDKIT_API_KEY_FILE: "pipe" }
    const { code } = await it.run(words, {
      env,
      onStart: (child) => {
        // A program that has not started yet has no way to say what ended it.
        const asking = setInterval(() => {
          if (child.exitCode !== null) clearInterval(asking)
          child.kill("SIGTERM")
        }, 5_000)
      },
    })
    expect(code).toBe(143)
  })

  it("reads accounts and keys that a shell substitutes for processes, key files in the working folder", async () => {
    await using it = await bench({ contracts: 3 })
    await writeFile(join(it.folder, "acme.key"), it.emulator.apiKey, { mode: 0o600 })
    const line = JSON.stringify({ name: "acme", baseUrl: it.url, keyFile: "acme.key" })
    const env = { PATH: process.env["PATH"], HOME: it.folder, DEEDKIT_BASE_URL: it.url }
    const { stderr } = await promisify(execFile)(
      "bash",
      [
        "-c",
        `"$@" sync --to m.sqlite --accounts <(echo '${line}') && DEEDKIT_API_KEY_FILE=<(cat acme.key) "$@" me`,
        "bash",
        process.execPath,
        program,
      ],
      { cwd: it.folder, env },
    )
    expect(stderr).toContain("1 account is complete in m.sqlite.")
  })

  it.each(signals)("%s is in the JSON of the error as %i too", async (signal, exitCode) => {
    await using it = await bench(stalled)
    const { code, stderr } = await interrupted(it, ["--json"], signal)
    expect([code, lastJson(stderr)]).toEqual([
      exitCode,
      { error: "Interrupted", message: "Interrupted", exitCode },
    ])
  })

  it("that arrives twice, as from a terminal and a package manager, cuts nothing short", async () => {
    await using it = await bench(stalled)
    // Two of a kind may arrive as one; of two kinds any may come first.
    const { code, stderr } = await interrupted(it, [], "SIGINT", "SIGQUIT")
    expect([130, 131]).toContain(code)
    expect(await it.files()).toEqual(kept)
    expect(stderr).toMatch(hint)
  })

  it("that a person sends again ends a program at once that is not done yet", async () => {
    const source = [
      "--conditions=@deedkit/source",
      join(import.meta.dirname, "..", "..", "harness", "Unstoppable.ts"),
    ]
    const child = spawn(process.execPath, source, { stdio: ["ignore", "pipe", "inherit"] })
    await once(child.stdout, "data")
    const closed = once(child, "close")
    const started = performance.now()
    const pressing = setInterval(() => child.kill("SIGINT"), 20)
    const [code] = (await closed) as [number | null]
    clearInterval(pressing)
    expect(code).toBe(130)
    // Keys that are pressed within this time are one.
    expect(performance.now() - started).toBeGreaterThan(300)
  })
})

/** A terminal in which `deedkit` is the program, connected to the emulator. */
const terminal = async (it: Bench, env: Readonly<Record<string, string>> = {}) => {
  await writeFile(
    join(it.folder, "deedkit"),
    `#!/bin/sh\necho $$ > pid\nexec "${process.execPath}" "${program}" "$@"\n`,
    { mode: 0o755 },
  )
  const screen = await open({
    columns: 100,
    cwd: it.folder,
    env: {
      PATH: `${it.folder}:${process.env["PATH"]}`,
      HOME: it.folder,
      XDG_CONFIG_HOME: join(it.folder, "config"),
      XDG_CACHE_HOME: devNull,
      DEEDKIT_BASE_URL: it.url,
      ...env,
    },
  })
  return Object.assign(screen, {
    kill: async (signal: Signal) =>
      process.kill(Number(await readFile(join(it.folder, "pid"), "utf8")), signal),
  })
}

describe.runIf(hasTmux || required)("in a terminal", () => {
  it("that is closed, an export leaves no part of a file, and the pages", async () => {
    await using it = await bench(stalled)
    const screen = await terminal(it, { DEEDKIT_API_KEY: it.emulator.apiKey })
    await screen.type(`clear; deedkit ${exporting.join(" ")}`)
    await screen.until(/contracts: [2-5] pages/)
    expect((await it.files()).some((name) => name.endsWith(".part"))).toBe(true)
    await screen[Symbol.asyncDispose]()
    await vi.waitFor(async () => expect(await it.files()).toEqual(["deedkit", ...kept, "pid"]), 10_000)
  }, 60_000)

  it.each(signals)(
    "%s at a hidden question gives the keyboard back",
    async (signal) => {
      await using it = await bench()
      await using screen = await terminal(it)
      await screen.type("clear; deedkit auth login --insecure-storage")
      await screen.until(/^API key: *$/m)
      await screen.kill(signal)
      await screen.until(/^Interrupted\.\n[$#]/m)
      await screen.type("echo what is typed is seen")
      const lines = await screen.until(/^what is typed is seen$/m)
      expect(lines.join("\n")).toMatch(/^[$#] echo what is typed is seen\nwhat is typed is seen$/m)
    },
    60_000,
  )

  it.each([
    ["C-c", 130],
    ["C-\\", 131],
  ])(
    "%s ends an export with %i, removes its line and shows the command to resume",
    async (key, exitCode) => {
      await using it = await bench(stalled)
      await using screen = await terminal(it, { DEEDKIT_API_KEY: it.emulator.apiKey })
      await screen.type(`clear; deedkit ${exporting.join(" ")}; echo code $?`)
      await screen.until(/contracts: [2-5] pages/)
      await screen.press(key)
      const lines = await screen.until(/^code \d+$/m)
      expect(lines.join("\n")).toContain(`--resume\nInterrupted.\ncode ${exitCode}`)
      expect(lines.join("\n")).not.toMatch(/contracts: \d+ pages/)
      expect((await it.files()).filter((name) => name.startsWith("out"))).toEqual(kept)
    },
    60_000,
  )
})
