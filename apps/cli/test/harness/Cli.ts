/**
 * Runs the program against the emulator on a port, in a folder of its own: the build as a process of its own, or, where no process is
 * needed, the sources inside the test. Every run checks that the API key is in nothing that was written.
 */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { expect, inject } from "vitest"
import type { Ended } from "./InProcess.ts"
import { call } from "./InProcess.ts"

/** The path of the built program. */
export const program = inject("program")

export interface RunOptions {
  readonly cwd: string
  /** Undefined: not set. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  /** What must not be in any output. */
  readonly secret?: string
  readonly onStart?: (child: ChildProcess) => void
  /** The user that runs it, for tests that root runs. */
  readonly uid?: number
}

/** Runs to the end. The environment holds nothing of the machine but its paths. Settings are in the folder of the run, and nothing is kept of rates. */
export const run = async (args: ReadonlyArray<string>, options: RunOptions): Promise<Ended> => {
  const { cwd, env = {}, onStart, secret, stdin, uid } = options
  const paths = Object.fromEntries(
    ["PATH", "HOME", "TMPDIR", "SystemRoot"].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...paths, XDG_CONFIG_HOME: join(cwd, ".config"), TZ: "UTC", ...env },
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid }),
  })
  const output = { stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  child.stdin?.end(stdin)
  onStart?.(child)
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  )
  if (secret !== undefined) await expectWithout(secret, output, cwd)
  return { code, ...output }
}

const expectWithout = async (
  secret: string,
  output: Pick<Ended, "stdout" | "stderr">,
  cwd: string,
): Promise<void> => {
  expect(output.stdout).not.toContain(secret)
  expect(output.stderr).not.toContain(secret)
  for (const entry of await readdir(cwd, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    expect(entry.name).not.toContain(secret)
    expect(await readFile(join(entry.parentPath, entry.name), "utf8")).not.toContain(secret)
  }
}

/** An emulator, an empty folder, and runs against them; gone when it is disposed of. */
export interface Bench extends AsyncDisposable {
  readonly emulator: Emulator
  readonly url: string
  readonly folder: string
  readonly run: (args: ReadonlyArray<string>, options?: Partial<RunOptions>) => Promise<Ended>
  /** The same inside the test, where paths are not those of the folder. */
  readonly call: (
    args: ReadonlyArray<string>,
    options?: Pick<RunOptions, "env" | "secret" | "stdin"> & {
      /** The width of a terminal; default: there is none. */
      readonly columns?: number
    },
  ) => Promise<Ended>
  readonly file: (name: string) => Promise<string>
  readonly files: () => Promise<ReadonlyArray<string>>
}

export const bench = async (options: EmulatorOptions = {}): Promise<Bench> => {
  const emulator = make(options)
  const [server, folder] = await Promise.all([listen(emulator), mkdtemp(join(tmpdir(), "deedkit-cli-"))])
  const env = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: emulator.apiKey }
  return {
    emulator,
    url: server.url,
    folder,
    run: (args, more = {}) =>
      run(args, { cwd: folder, secret: emulator.apiKey, ...more, env: { ...env, ...more.env } }),
    call: async (args, more = {}) => {
      const { columns, secret, stdin } = more
      const ended = await call(args, {
        env: { ...env, ...more.env },
        ...(columns === undefined ? {} : { columns }),
        ...(stdin === undefined ? {} : { stdin }),
      })
      await expectWithout(secret ?? emulator.apiKey, ended, folder)
      return ended
    },
    file: (name) => readFile(join(folder, name), "utf8"),
    files: async () => (await readdir(folder)).toSorted(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), rm(folder, { recursive: true, force: true })])
    },
  }
}

/** The last line of standard error as JSON: what an error is with `--json`. */
export const lastJson = (stderr: string): Readonly<Record<string, unknown>> =>
  JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") as Readonly<Record<string, unknown>>
