/**
 * From flags and environment to the options of a client. Flags win. The key comes from standard input, a variable or a file, in this
 * order, and never from a flag.
 *
 * What is missing is found here and said in one sentence; what is there but cannot work is the client's to refuse.
 */
import { readFile, stat } from "node:fs/promises"
import { RetryPolicy } from "@deedkit/core"
import type { ClientConfig } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Variables } from "./Environment.ts"
import type { SharedFlags } from "./SharedFlags.ts"
import type { UsageError } from "./UsageError.ts"
import { usageError } from "./UsageError.ts"

/** Patience of a command: `interactive` for people who wait, `export` for long walks. */
export type Policy = "interactive" | "export"

const label = "API key"
const mostKeyBytes = 16_384
const howToGiveAKey =
  "Set DEEDKIT_API_KEY, or name a file that holds it in DEEDKIT_API_KEY_FILE, or pass it on standard input with --api-key-stdin."

/** A file or a pipe ends its only line with a line break, which is not part of the key. */
const withoutLineEnd = (text: string): Redacted.Redacted =>
  Redacted.make(text.replace(/\r?\n$/, ""), { label })

const fromStdin: Effect.Effect<Redacted.Redacted, UsageError> = Effect.suspend(() => {
  if (process.stdin.isTTY) {
    return Effect.fail(
      usageError(
        "--api-key-stdin reads a pipe, and standard input is the keyboard",
        "Pipe the key in, such as: pass show deedkit | deedkit me --api-key-stdin",
      ),
    )
  }
  return Effect.tryPromise({
    try: async () => {
      let text = ""
      for await (const chunk of process.stdin.setEncoding("utf8")) {
        text += String(chunk)
        if (text.length > mostKeyBytes) throw new RangeError("too long")
      }
      return withoutLineEnd(text)
    },
    catch: () => usageError("No API key could be read from standard input", "Pass the key and nothing else."),
  })
})

const fromFile = (path: string): Effect.Effect<Redacted.Redacted, UsageError> =>
  Effect.tryPromise({
    try: () => stat(path),
    catch: (cause) => unreadable(path, cause),
  }).pipe(
    Effect.filterOrFail(
      (file) => file.isFile() && file.size <= mostKeyBytes,
      () =>
        usageError(
          `DEEDKIT_API_KEY_FILE names ${path}, which is no file with a key`,
          "Name a file that holds the key and nothing else.",
        ),
    ),
    Effect.filterOrFail(
      (file) => process.platform === "win32" || (file.mode & 0o077) === 0,
      (file) =>
        usageError(
          `Others may read the key file ${path} (mode ${(file.mode & 0o777).toString(8)})`,
          `Run chmod 600 on it; if others have seen it, make a new key.`,
        ),
    ),
    Effect.andThen(
      Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: (cause) => unreadable(path, cause) }),
    ),
    Effect.map(withoutLineEnd),
  )

const unreadable = (path: string, cause: unknown): UsageError =>
  usageError(
    `The key file ${path} could not be read (${(cause as NodeJS.ErrnoException).code ?? "no code"})`,
    "Check DEEDKIT_API_KEY_FILE.",
  )

const readKey = (flags: SharedFlags, variables: Variables): Effect.Effect<Redacted.Redacted, UsageError> => {
  if (flags.apiKeyStdin) return fromStdin
  if (variables.apiKey !== undefined) return Effect.succeed(variables.apiKey)
  if (variables.apiKeyFile !== undefined) return fromFile(variables.apiKeyFile)
  return Effect.fail(usageError("There is no API key", howToGiveAKey))
}

/** What flags say about patience. */
const policyOf = (
  flags: SharedFlags,
  policy: Policy,
): Pick<ClientConfig.ClientOptions, "policy" | "timeLimits"> => {
  const { attempts, timeout } = flags
  const preset = policy === "export" ? RetryPolicy.patient : RetryPolicy.interactive
  const capped = (seconds: number): number => 1_000 * Math.min(seconds, timeout ?? seconds)
  return {
    policy: attempts === undefined ? preset : { ...preset, attempts },
    timeLimits: {
      ...(timeout === undefined ? {} : { attempt: 1_000 * timeout }),
      connect: capped(10),
      idle: capped(15),
      ...(policy === "export" ? { deadline: null } : {}),
    },
  }
}

/** The options of a client. */
export const resolve = (
  flags: SharedFlags,
  variables: Variables,
  policy: Policy,
): Effect.Effect<ClientConfig.ClientOptions, UsageError> =>
  Effect.gen(function* () {
    const baseUrl = flags.baseUrl ?? variables.baseUrl
    if (baseUrl === undefined) {
      return yield* usageError(
        "There is no base URL",
        "Set DEEDKIT_BASE_URL or pass --base-url: the address of the API, like https://api.example.com",
      )
    }
    const apiKey = yield* readKey(flags, variables)
    const cursorParam = flags.cursorParam ?? variables.cursorParam ?? "auto"
    return { baseUrl, apiKey, cursorParam, rate: flags.rate, ...policyOf(flags, policy) }
  })
