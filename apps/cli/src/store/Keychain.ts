/**
 * The keychain of the operating system: Keychain on macOS, Credential Manager on Windows, the Secret Service on Linux.
 *
 * The kernel keyring of Linux is not used instead, because it loses its content at the next boot. The binary module for the keychain is loaded only
 * when it is needed.
 */
import { spawn } from "node:child_process"
import { isSea } from "node:sea"
import { text } from "node:stream/consumers"
import { Worker } from "node:worker_threads"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

export interface Service {
  /** The secret of an account; null when there is none. */
  readonly get: (account: string) => Effect.Effect<string | null, Failure>
  readonly set: (account: string, secret: string) => Effect.Effect<void, Failure>
  /** Removes the secret. Returns whether there was one. */
  readonly remove: (account: string) => Effect.Effect<boolean, Failure>
}

/** The alternatives to a keychain. Plaintext is last, because it is the least secure. */
const waysOut =
  "Set DEEDKIT_BASE_URL and DEEDKIT_API_KEY; name a key file of mode 600 with --key-file; or save the key in plaintext with `deedkit auth login --insecure-storage`."

const service = "deedkit"
/** Longest wait until the keychain is reached. A session bus that has frozen accepts connections and never answers. */
const secondsToReach = 10
/** Longest wait after that, for a person who types a password. An unlock dialog that nobody sees must not block a cron job. */
const secondsToUnlock = 60

const unavailable = (reason: string): Failure =>
  storeError({
    kind: "failed",
    path: null,
    problem: `The keychain of this machine cannot be used (${reason})`,
    advice: waysOut,
  })

/** Errors on a Linux system without a desktop, which has no bus or no Secret Service. */
const noSecretService = /autolaunch|ServiceUnknown|not provided by any|No such file or directory/i

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/d-?bus/i.test(message) && noSecretService.test(message)) return "no Secret Service runs here"
  return message.replaceAll(/\s+/g, " ").slice(0, 200)
}

/** What the child process is asked, and what it answers, as JSON. */
interface Question {
  readonly work: "get" | "set" | "remove"
  readonly account: string
  readonly secret: string | null
  /** The process that asks. */
  readonly asker: number
}
type Answer = { readonly value: string | boolean | null } | { readonly problem: string }

/** What the child writes before its answer, once the keychain is reached: white space, which JSON allows there. */
const reached = "\n"

/** The argument by which `bin.ts` knows that it is the child. */
const childArgument = "--keychain-child"

const child = async ({ account, secret, work }: Question): Promise<Answer> => {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring")
    const entry = new AsyncEntry(service, account, { linux: { store: "secret-service" } })
    process.stdout.write(reached)
    if (work === "get") return { value: (await entry.getPassword()) ?? null }
    if (work === "remove") return { value: await entry.deleteCredential() }
    await entry.setPassword(secret ?? "")
    return { value: null }
  } catch (cause) {
    return { problem: reasonOf(cause) }
  }
}

/** Ends the child when the process that asks is gone, killed for example: the bus may hold its main thread for good, so another one watches. */
const endWith = (asker: number): void => {
  const watch = `setInterval(() => process.ppid === ${asker} || process.kill(process.pid, "SIGKILL"), 500)`
  new Worker(watch, { eval: true }).unref()
}

/** The work of the child process: one question on standard input, one answer on standard output. */
export const runChild = async (): Promise<void> => {
  const question = JSON.parse(await text(process.stdin)) as Question
  endWith(question.asker)
  const answer = await child(question)
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
}

/**
 * Asks the keychain in a child process. Its module connects to the session bus on the thread that calls it, and a bus that does not answer would hold
 * that thread for good: no time limit and no Ctrl-C could end this process.
 */
const ask = (question: Omit<Question, "asker">): Effect.Effect<string | boolean | null, Failure> =>
  Effect.callback<string | boolean | null, Failure>((resume) => {
    const [program = ""] = process.argv.slice(1)
    // A single file is its own program and takes no arguments for Node.
    const before = isSea() ? [] : [...process.execArgv, program]
    const asked = spawn(process.execPath, [...before, childArgument], {
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    })
    const endAfter = (seconds: number): NodeJS.Timeout =>
      setTimeout(() => {
        asked.kill("SIGKILL")
        resume(Effect.fail(unavailable(`it did not answer within ${seconds} seconds`)))
      }, seconds * 1000)
    let limit = endAfter(secondsToReach)
    let answer = ""
    asked.stdout.setEncoding("utf8").on("data", (part: string) => (answer += part))
    asked.stdout.once("data", () => {
      clearTimeout(limit)
      limit = endAfter(secondsToUnlock)
    })
    asked.stdin.on("error", () => {})
    asked.once("error", (cause) => resume(Effect.fail(unavailable(reasonOf(cause)))))
    asked.once("close", () => {
      clearTimeout(limit)
      resume(Effect.suspend(() => answered(answer)))
    })
    asked.stdin.end(JSON.stringify({ ...question, asker: process.pid } satisfies Question))
    return Effect.sync(() => asked.kill("SIGKILL"))
  })

/** The answer is the last line: modules that NODE_OPTIONS loads may print others. */
const answered = (said: string): Effect.Effect<string | boolean | null, Failure> => {
  let answer: Answer
  try {
    answer = JSON.parse(said.slice(said.lastIndexOf("\n") + 1)) as Answer
  } catch {
    return Effect.fail(unavailable("it ended without an answer"))
  }
  return "problem" in answer ? Effect.fail(unavailable(answer.problem)) : Effect.succeed(answer.value)
}

/** A keychain that always fails with this reason. */
export const unusable = (reason: string): Service => {
  const failing = Effect.fail(unavailable(reason))
  return { get: () => failing, set: () => failing, remove: () => failing }
}

const native: Service = {
  get: (account) =>
    Effect.map(ask({ work: "get", account, secret: null }), (value) =>
      typeof value === "string" ? value : null,
    ),
  set: (account, secret) => Effect.asVoid(ask({ work: "set", account, secret })),
  remove: (account) => Effect.map(ask({ work: "remove", account, secret: null }), (value) => value === true),
}

/** The keychain; by default that of the machine. */
export const Keychain = Context.Reference<Service>("deedkit/Keychain", { defaultValue: () => native })
