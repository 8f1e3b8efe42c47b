/** What all commands share: the type of their errors, what they need from the process, and how the program was called. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { ClientError, ClientEvent } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Stdio from "effect/Stdio"
import type * as Command from "effect/cli/Command"
import type { Environment } from "../terminal/Environment.ts"
import type { Terminal } from "../terminal/Terminal.ts"
import type { Failure } from "../failure/Failure.ts"

/** How this program was called, and how it would understand other words. */
export class Invocation extends Context.Service<
  Invocation,
  {
    /** For a message that shows the command to run next. Arguments hold no secret: no flag takes one. */
    readonly args: ReadonlyArray<string>
    /** Parses words without running anything, and gives the names of the command: `["export", "contracts"]`. */
    readonly parse: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, Failure>
  }
>()("deedkit/Invocation") {}

/** What listens to the events of every client of a command: the debug bundle, and the log of `--log`. */
export const Listeners: Context.Reference<ReadonlyArray<ClientEvent.Listener>> = Context.Reference<
  ReadonlyArray<ClientEvent.Listener>
>("deedkit/Listeners", { defaultValue: () => [] })

/** What a failed command adds below its error, such as how to go on: run in this order once the error is printed. */
export const AfterError: Context.Reference<Array<() => void>> = Context.Reference<Array<() => void>>(
  "deedkit/AfterError",
  { defaultValue: () => [] },
)

/** Work on one of several accounts: its events name it. */
export const ofAccount =
  (account: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(work, Listeners, (listeners) =>
      listeners.map((listener): ClientEvent.Listener => (event) => {
        const named = { ...event, account }
        listener(named)
      }),
    )

/** The path of a program that Homebrew keeps when it installs the next version. */
export const lastingPath = (path: string, exists: (path: string) => boolean): string => {
  const lasting = path.replace(/\/Cellar\/([^/]+)\/[^/]+\//, "/opt/$1/")
  return exists(lasting) ? lasting : path
}

/** How this process was started, with absolute paths. A program of a single file is its own script, and takes no options of Node. */
export const startedAs = (options: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const { argv, execArgv, execPath } = process
  const script =
    argv[1] === undefined || resolve(argv[1]) === execPath ? [] : [...options, ...execArgv, resolve(argv[1])]
  return [execPath, ...script].map((word) => lastingPath(word, existsSync))
}

const plain = /^[\w./:=@%+,~-]+$/

/** A word quoted for a POSIX shell. */
export const shellWord = (word: string): string =>
  plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The command line with these arguments, plus `flag` if it is not among them. */
export const commandLine = (program: string, args: ReadonlyArray<string>, flag: string): string =>
  [program, ...[...args, ...(args.includes(flag) ? [] : [flag])].map(shellWord)].join(" ")

/** Every error with which a command can fail. */
export type CommandError = ClientError.ClientError | ExportError.ExportError | Failure

export type Needs = Command.CommandContext<"deedkit"> | Environment | Invocation | Stdio.Stdio | Terminal

/** A command under `deedkit`. */
export type Subcommand<Name extends string> = Command.Command<Name, never, {}, CommandError, Needs>

/** The work of a command, given its arguments and flags. */
export type Work<Input = {}> = (input: Input) => Effect.Effect<void, CommandError, Needs>
