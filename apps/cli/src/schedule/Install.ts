/** Gives a job to the user's own scheduler: a systemd of the user, or the user's crontab. Nothing of other jobs is changed. */
import { spawn } from "node:child_process"
import { constants } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { storeError, whyNotWritten } from "../failure/Failure.ts"
import { clean } from "../terminal/TerminalText.ts"
import type { SchedulerFile } from "./Schedulers.ts"

const { O_CREAT, O_TRUNC, O_WRONLY } = constants

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a program ended. Its code is null if it could not be started. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly stdin?: string; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Effect.Effect<Ended> =>
  Effect.promise(async () => {
    const { stdin = "", ...rest } = options
    const child = spawn(program, args, { ...rest, stdio: "pipe", timeout: 60_000 })
    const ended = new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null)).once("close", resolve)
    })
    // A program that does not read its input is no error.
    child.stdin.on("error", () => {}).end(stdin)
    const [code, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout).catch(() => ""),
      text(child.stderr).catch(() => ""),
    ])
    return { code, stdout, stderr }
  })

const failed = (problem: string, advice: string): Failure =>
  storeError({ kind: "failed", path: null, problem, advice })

const reasonOf = (program: string, { code, stderr }: Ended): string =>
  code === null ? `there is no ${program} here` : clean(stderr.trim()) || `it ended with ${code}`

/** Adds a line to the user's crontab, in place of an earlier one of the same name. */
export const inCrontab = Effect.fnUntraced(function* (
  line: string,
  name: string,
): Effect.fn.Return<void, Failure> {
  const listed = yield* run("crontab", ["-l"])
  // A crontab that cannot be read must not be replaced.
  if (listed.code !== 0 && !/no crontab/i.test(listed.stderr)) {
    return yield* failed(
      `The crontab could not be read (${reasonOf("crontab", listed)})`,
      "Without --install the line is printed.",
    )
  }
  const kept = (listed.code === 0 ? listed.stdout : "")
    .split("\n")
    .filter((each) => each !== "" && !each.endsWith(` # ${name}`))
  const written = yield* run("crontab", ["-"], { stdin: `${[...kept, line].join("\n")}\n` })
  if (written.code !== 0) {
    return yield* failed(
      `The crontab could not be written (${reasonOf("crontab", written)})`,
      "Without --install the line is printed.",
    )
  }
})

/** Writes units, and starts their timer. */
export const inSystemd = Effect.fnUntraced(function* (
  units: ReadonlyArray<SchedulerFile>,
  folder: string,
  timer: string,
): Effect.fn.Return<void, Failure> {
  yield* Effect.tryPromise({
    try: async () => {
      await OwnFile.makeFolder(folder)
      for (const unit of units) {
        const file = await OwnFile.open(join(folder, unit.name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        await file.writeFile(unit.text).finally(() => file.close())
      }
    },
    catch: (cause) =>
      failed(
        `The units could not be written to ${folder} (${whyNotWritten(cause)})`,
        "Without --install they are printed.",
      ),
  })
  for (const args of [["daemon-reload"], ["enable", "--now", timer]]) {
    const ended = yield* run("systemctl", ["--user", ...args])
    if (ended.code !== 0) {
      return yield* failed(
        `systemctl --user ${args.join(" ")} failed (${reasonOf("systemctl", ended)})`,
        `The units are in ${folder}. Where no systemd of the user runs, use --for cron.`,
      )
    }
  }
})
