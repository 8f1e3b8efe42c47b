/**
 * Where the API key is while the built program runs, and what is left of it afterwards: in no argument, in no environment but the one that
 * it was given in, in no child, on no screen, in no history of a shell, in no file but a store of keys.
 */
import { spawn } from "node:child_process"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../harness/Cli.ts"
import { bench, program } from "../harness/Cli.ts"
import { hasTmux, open } from "../harness/Screen.ts"

const required = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1"
const hasProc = process.platform === "linux"
if (!hasProc) console.warn("SKIPPED: there is no /proc here, so nobody looks into running processes.")
if (!hasTmux && !required) console.warn("SKIPPED: tmux is not installed, so no history of a shell is read.")

/** The parts of a key, eight characters each, none of which may be anywhere. Its last four may be shown. */
const partsOf = (key: string): ReadonlyArray<string> => {
  const secret = key.slice(key.lastIndexOf("_") + 1)
  return Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8))
}

const expectNothingOf = (key: string, where: string, bytes: Buffer | string): void => {
  const found = partsOf(key).filter((part) => bytes.includes(part))
  expect([where, found]).toEqual([where, []])
}

/** Every file below a folder, by its path there. */
const filesIn = async (folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const read = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length + 1), await readFile(path)] as const
    })
  return new Map(await Promise.all(read))
}

const start = (it: Bench, args: ReadonlyArray<string>, stdin: string | null, env: object) => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: it.folder,
    env: { PATH: process.env["PATH"], HOME: it.folder, DEEDKIT_BASE_URL: it.url, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  child.stdin.end(stdin ?? "")
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return { child, ended, said: () => said }
}

/** Waits for the first request to be answered, which is while the program runs. */
const firstAnswer = (it: Bench): Promise<void> =>
  new Promise((resolve) => {
    const stop = it.emulator.journal.watch(() => {
      stop()
      resolve()
    })
  })

interface Process {
  readonly pid: number
  readonly parent: number
  readonly cmdline: string
  readonly environ: string
}

/** A process and all that it has started. Other processes of this machine may hold the same key: the emulator's keys are constant. */
const treeOf = async (root: number | undefined): Promise<ReadonlyArray<Process>> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const seen = await Promise.all(
    pids.map(async (pid) => {
      try {
        const [cmdline, environ, stat] = await Promise.all(
          ["cmdline", "environ", "stat"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")),
        )
        const parent = Number(stat!.slice(stat!.lastIndexOf(")") + 2).split(" ")[1])
        return [{ pid: Number(pid), parent, cmdline: cmdline!, environ: environ! }]
      } catch {
        // It has ended meanwhile, or is somebody else's.
        return []
      }
    }),
  )
  const all = seen.flat()
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

const slow = { contracts: 400, faults: ["latency:ms=400"] }
const exporting = ["export", "contracts", "--out", "o.csv", "--page-size", "100"]

describe.runIf(hasProc)("while it runs", () => {
  const ways: ReadonlyArray<readonly [how: string, args: ReadonlyArray<string>, inEnvironment: boolean]> = [
    ["on standard input", ["--api-key-stdin"], false],
    ["in a file", [], false],
    ["in a variable", [], true],
  ]
  it.each(ways)("a key that came %s is nowhere else", async (how, flags, inEnvironment) => {
    await using it = await bench(slow)
    const { apiKey } = it.emulator
    const path = join(it.folder, "key")
    if (how === "in a file") await writeFile(path, apiKey, { mode: 0o600 })
    const env = inEnvironment
      ? { DEEDKIT_API_KEY: apiKey }
      : how === "in a file"
        ? { DEEDKIT_API_KEY_FILE: path }
        : {}
    const answered = firstAnswer(it)
    const { child, ended, said } = start(it, [...exporting, ...flags, "--verbose"], apiKey, env)
    await answered
    // It is not to end before it was looked at.
    child.kill("SIGSTOP")
    const tree = await treeOf(child.pid)
    child.kill("SIGCONT")
    expect(tree).toEqual([
      expect.objectContaining({ pid: child.pid, cmdline: expect.stringContaining("export") as string }),
    ])
    for (const { cmdline, environ, pid } of tree) {
      expectNothingOf(apiKey, `arguments of ${pid}`, cmdline)
      if (!inEnvironment) expectNothingOf(apiKey, `environment of ${pid}`, environ)
      else expect(environ.split("\0").filter((each) => each.includes(apiKey))).toHaveLength(1)
    }
    expect(await ended).toBe(0)
    expectNothingOf(apiKey, "output", said())
  })
})

describe("what is left", () => {
  const left = async (it: Bench, said: string): Promise<ReadonlyArray<string>> => {
    const { apiKey } = it.emulator
    expectNothingOf(apiKey, "output", said)
    const files = await filesIn(it.folder)
    for (const [name, bytes] of files) {
      expectNothingOf(apiKey, "names", name)
      if (name !== join(".config", "deedkit", "credentials.json")) expectNothingOf(apiKey, name, bytes)
    }
    // Compiled code of the program is kept between starts.
    return [...files.keys()].filter((name) => !name.startsWith(join(".cache", "deedkit"))).toSorted()
  }

  const run = async (
    it: Bench,
    args: ReadonlyArray<string>,
    env: object = {},
    stdin: string | null = null,
  ) => {
    const { ended, said } = start(it, args, stdin, { DEEDKIT_API_KEY: it.emulator.apiKey, ...env })
    return { code: await ended, said: said() }
  }

  it("of an export: rows, a manifest and a debug bundle without the key", async () => {
    await using it = await bench({ contracts: 250, faults: ["rate-limit:retryAfter=1,page=2,times=1"] })
    const flags = ["--verbose", "--debug-bundle", "bundle.json"]
    const { code, said } = await run(it, [...exporting, ...flags])
    expect([code, await left(it, said)]).toEqual([0, ["bundle.json", "o.csv", "o.csv.manifest.json"]])
    expect(said).toContain("/v1/contracts/")
  })

  it("of an export that was interrupted: saved pages, without the key", async () => {
    await using it = await bench({ contracts: 400, faults: ["latency:ms=100,page=3", "stall:page=3"] })
    const stop = it.emulator.journal.watch(({ fault }) => {
      if (fault?.includes("stall") === true) child.kill("SIGINT")
    })
    const { child, ended, said } = start(
      it,
      [...exporting, "--debug-bundle", "bundle.json", "--json"],
      null,
      {
        DEEDKIT_API_KEY: it.emulator.apiKey,
      },
    )
    expect(await ended).toBe(130)
    stop()
    expect(await left(it, said())).toEqual(
      expect.arrayContaining([
        "bundle.json",
        "o.csv.interrupted.json",
        expect.stringMatching(/^o\.csv\.part\.records/),
      ]),
    )
  })

  it.each([
    ["a key that is not accepted", "key-revoked:from=1", 4],
    ["a missing scope", "scope-missing", 5],
    ["a refusal", "status:code=418", 8],
    ["an answer that is not ok", "ok-false", 8],
    ["a page of HTML", "not-json", 8],
    ["a redirect", "redirect:to=other-host", 8],
    ["a dropped connection", "drop", 7],
  ])("of %s: an error as JSON, without the key", async (_, fault, exitCode) => {
    await using it = await bench({ faults: [fault] })
    const args = ["contracts", "list", "--json", "--verbose", "--attempts", "1", "--debug-bundle", "b.json"]
    const { code, said } = await run(it, args)
    expect([code, await left(it, said)]).toEqual([exitCode, ["b.json"]])
    expect(said).toContain(`"exitCode":${exitCode}`)
  })

  it("of somebody who tried to pass it as a flag: advice, and not the key", async () => {
    await using it = await bench()
    for (const args of [["--api-key"], ["--token"]].map(([flag = ""]) => [flag, it.emulator.apiKey])) {
      const { code, said } = await run(it, ["me", ...args])
      expect([code, said]).toEqual([2, expect.stringContaining("the API key is never passed as a flag")])
      await left(it, said)
    }
  })

  it("of a login: a profile without the key, and commands that show its end only", async () => {
    await using it = await bench()
    const { apiKey } = it.emulator
    const login = ["auth", "login", "--with-key", "--insecure-storage"]
    const first = start(it, login, apiKey, {})
    expect(await first.ended).toBe(0)
    let said = first.said()
    for (const args of ["auth status --json", "config explain", "profile list --json", "doctor --save"]) {
      const ended = start(it, args.split(" "), null, {})
      expect([args, await ended.ended]).toEqual([args, 0])
      said += ended.said()
    }
    expect(await left(it, said)).toEqual([
      join(".config", "deedkit", "config.json"),
      join(".config", "deedkit", "credentials.json"),
      join(".config", "deedkit", "lock"),
    ])
    expect(said).toContain(`…${apiKey.slice(-4)}`)
  })
})

describe.runIf(hasTmux || required)("in a shell", () => {
  it("a key that was typed at the prompt is neither on the screen nor in the history", async () => {
    await using it = await bench()
    const { apiKey } = it.emulator
    const history = join(it.folder, "history")
    await writeFile(join(it.folder, "deedkit"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
      mode: 0o755,
    })
    const env = {
      PATH: `${it.folder}:${process.env["PATH"]}`,
      HOME: it.folder,
      HISTFILE: history,
      DEEDKIT_BASE_URL: it.url,
    }
    const shell = ["bash", "--noprofile", "--norc", "-i"]
    await using screen = await open({ columns: 100, cwd: it.folder, env, shell })
    await screen.type("deedkit auth login --insecure-storage")
    await screen.until(/^API key: *$/m)
    await screen.paste(apiKey)
    const lines = await screen.until(/is saved in plaintext/)
    expectNothingOf(apiKey, "screen", lines.join(""))
    await screen.type("deedkit me --quiet && echo done with it; history -a")
    expectNothingOf(apiKey, "screen", (await screen.until(/^done with it/m)).join(""))
    // The shell would write it once more while its folder is being removed.
    await screen.type("unset HISTFILE; echo and closed")
    await screen.until(/^and closed/m)
    const remembered = await readFile(history, "utf8")
    expect(remembered).toContain("deedkit auth login --insecure-storage\n")
    expectNothingOf(apiKey, "history", remembered)
  }, 60_000)
})
