/**
 * The program: all commands under one name, with their output on the terminal and their result as an exit code. Also its process: arguments,
 * environment and streams go in, an exit code comes out.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Arguments from "./command/Arguments.ts"
import * as Translate from "./command/Translate.ts"
import * as FinalMessage from "./command/FinalMessage.ts"
import { examples, root } from "./command/SharedFlags.ts"
import { AfterError, Invocation, Listeners } from "./command/Subcommand.ts"
import type { CommandError, Subcommand } from "./command/Subcommand.ts"
import { version } from "./command/Version.ts"
import * as ExitCode from "./failure/ExitCode.ts"
import type { Failure } from "./failure/Failure.ts"
import { storeError } from "./failure/Failure.ts"
import * as Interruption from "./failure/Interruption.ts"
import * as TypedSecrets from "./failure/TypedSecrets.ts"
import * as DebugBundle from "./session/DebugBundle.ts"
import * as Environment from "./terminal/Environment.ts"
import * as HomePath from "./terminal/HomePath.ts"
import * as Platform from "./terminal/Platform.ts"
import * as Terminals from "./terminal/Terminal.ts"
import { Terminal } from "./terminal/Terminal.ts"

/**
 * A command, if it is among the needed ones; otherwise only its name and description, which help shows. Loading the work of all commands would add a
 * third to the start time.
 */
const listed =
  <Name extends string>(
    name: Name,
    description: string,
    load: () => Promise<{ readonly [Each in NoInfer<Name>]: Subcommand<Each> }>,
  ) =>
  async (isNeeded: (name: string) => boolean): Promise<Subcommand<Name>> =>
    Command.withDescription(isNeeded(name) ? (await load())[name] : Command.make(name), description)

/** The commands, in the order of the help. Each has a file with its flags, examples and work. */
const commands = [
  listed(
    "demo",
    "Run an export against a local emulator, without an account",
    () => import("./export/Demo.ts"),
  ),
  listed(
    "export",
    "Export contracts or API keys to files, and check exported files",
    () => import("./export/Export.ts"),
  ),
  listed("contracts", "List contracts, and show them by id", () => import("./commands/contracts.ts")),
  listed(
    "keys",
    "List, show and audit API keys: metadata, never secrets",
    () => import("./commands/keys.ts"),
  ),
  listed(
    "sync",
    "Mirror accounts in SQLite or PostgreSQL, with the history of every record",
    () => import("./sync/Sync.ts"),
  ),
  listed(
    "schedule",
    "Print or install what runs a command every night",
    () => import("./commands/schedule.ts"),
  ),
  listed(
    "me",
    "Show who the API key belongs to; the quickest check of address and key",
    () => import("./commands/me.ts"),
  ),
  listed("api", "Print the service's answer to any GET request, as JSON", () => import("./commands/api.ts")),
  listed("auth", "Log in, show the API key in use, log out", () => import("./commands/auth.ts")),
  listed("profile", "List, choose and remove profiles", () => import("./commands/profile.ts")),
  listed(
    "doctor",
    "Check how this server behaves, with at most 25 small requests",
    () => import("./commands/doctor.ts"),
  ),
  listed("config", "Show the configuration", () => import("./commands/config.ts")),
  listed(
    "mcp",
    "Serve contracts and API keys to an AI assistant, read-only (Model Context Protocol)",
    () => import("./commands/mcp.ts"),
  ),
]

/** The program for these words. A manual needs all commands. */
const programFor = async (words: ReadonlyArray<string>) => {
  const possible = Arguments.commandWords(words)
  const isAll = words.some((word) => word === "--man" || word === "--reference")
  const isNeeded = (name: string): boolean => isAll || possible.includes(name)
  return root.pipe(
    examples(`
      deedkit demo
      deedkit me  # Check address and key
      deedkit export contracts --for excel --out contracts.csv  # All contracts, for Excel
    `),
    Command.withSubcommands(await Promise.all(commands.map((command) => command(isNeeded)))),
  )
}

/** The parser's own flag has the short form `-v`, which means `--verbose` here. */
const showVersion = GlobalFlag.Action({
  flag: Flag.Boolean("version").pipe(Flag.withDescription("Show the version"), Flag.withDefault(false)),
  run: GlobalFlag.Version.run,
})

/** The names of a shell, and what its completion script is called. */
const shells = [
  ["bash", "bash"],
  ["zsh", "zsh"],
  ["fish", "fish"],
  ["powershell", "powershell"],
  ["sh", "bash"],
  ["pwsh", "powershell"],
] as const

const completions = Effect.promise(() => import("./command/Completions.ts"))

const action = (name: string, description: string, effect: Effect.Effect<void>) =>
  GlobalFlag.Action({
    flag: Flag.Boolean(name).pipe(
      Flag.withDescription(description),
      Flag.withDefault(false),
      Flag.withoutNegation,
    ),
    run: (isWanted) => (isWanted ? effect : Effect.void),
  })

/** The flags that act instead of a command. */
const builtIns = (
  terminal: Terminal["Service"],
  manual: (form: "man" | "markdown") => Effect.Effect<void>,
) => [
  GlobalFlag.Help,
  showVersion,
  GlobalFlag.Action({
    flag: Flag.ChoiceWithValue("completions", shells).pipe(
      Flag.withMetavar("SHELL"),
      Flag.withDescription("Print the completion script of a shell"),
      Flag.optional,
    ),
    run: (shell) =>
      Option.isNone(shell)
        ? Effect.void
        : Effect.flatMap(completions, ({ scriptOf }) =>
            Effect.orDie(Terminals.write(terminal.bytes, scriptOf(shell.value))),
          ),
  }),
  action("man", "Print the manual page: deedkit --man | man -l -", manual("man")),
  action("reference", "Print the reference of all commands as Markdown", manual("markdown")),
]

const runProgram = Effect.fnUntraced(function* (
  program: Awaited<ReturnType<typeof programFor>>,
  words: ReadonlyArray<string>,
  terminal: Terminal["Service"],
) {
  const context = yield* Effect.context<
    Environment.Environment | Terminal | Command.Environment | Invocation
  >()
  const manual = (form: "man" | "markdown"): Effect.Effect<void> =>
    Effect.gen(function* () {
      const { manual: text } = yield* Effect.promise(() => import("./command/Manual.ts"))
      yield* Terminals.write(terminal.bytes, yield* text(program, form, builtIns(terminal, manual)))
    }).pipe(Effect.provideContext(context), Effect.orDie)
  return yield* Command.runWith(program, { version })(words).pipe(
    Effect.provideService(CliConfig.CliConfig, CliConfig.make({ builtIns: builtIns(terminal, manual) })),
  )
})

/** How the program is called with these arguments. */
const invocationOf = (
  args: ReadonlyArray<string>,
  context: Context.Context<Environment.Environment | Terminal | Command.Environment>,
): Invocation["Service"] => {
  const parse: Invocation["Service"]["parse"] = Effect.fnUntraced(function* (typed) {
    const words = Arguments.expand(typed)
    const { pathOf } = yield* completions
    const program = yield* Effect.promise(() => programFor(words))
    let refusal: Failure | null = null
    const presenter: CliOutput.Presenter = {
      present: (event) =>
        Effect.sync(() => {
          if (event._tag === "InvalidInvocation") refusal = FinalMessage.explain(event)
        }),
    }
    // What fails before the work of a command keeps it from running.
    const parsed = Command.provideEffectDiscard(program, Effect.fail("parsed"))
    yield* Command.runWith(parsed, { version })(words).pipe(
      Effect.ignore,
      Effect.provideService(CliOutput.Presenter, presenter),
      Effect.provideService(CliConfig.CliConfig, CliConfig.make({ builtIns: [] })),
      Effect.provideService(Invocation, invocation),
      Effect.provideContext(context),
    )
    return yield* refusal ?? Effect.succeed(pathOf(program, words))
  })
  const invocation = { args, parse }
  return invocation
}

const openLog = (path: string, words: ReadonlyArray<string>, terminal: Terminal["Service"]) =>
  Effect.promise(async () => {
    const { open } = await import("./session/CommandLog.ts")
    return open(path, words, (sentence) => terminal.say(sentence, "yellow"))
  })

/** What tells the monitor at this address an exit code, and gives the sentence that says why that failed. */
const openPing = Effect.fnUntraced(function* (address: string) {
  const { parse, send } = yield* Effect.promise(() => import("./session/Ping.ts"))
  const context = yield* Effect.context<Environment.Environment>()
  // In a fiber of its own: that of the command may have been interrupted, and could not wait.
  const apart = (monitor: URL) => (exitCode: number) =>
    Effect.promise(() => Effect.runPromiseWith(context)(send(monitor, exitCode)))
  return Result.map(parse(address), apart)
})

/** The failure of a command that needs the folder it was started in, which somebody has removed. Any other defect stays one. */
const withoutFolder = (defect: unknown) =>
  (defect as NodeJS.ErrnoException | null)?.syscall === "uv_cwd"
    ? storeError({
        kind: "failed",
        path: null,
        problem: "The folder in which deedkit was started does not exist any more",
        advice: "Change to another folder, and run the same command again.",
      })
    : Effect.die(defect)

/** Runs the arguments that follow the program's name. */
export const main = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
): Effect.fn.Return<
  void,
  CommandError | CliError.CliError,
  Environment.Environment | Terminal | Command.Environment
> {
  const screen = yield* Terminal
  const context = yield* Effect.context<Environment.Environment | Terminal | Command.Environment>()
  if (args[0]?.startsWith("--complete=") === true) {
    const { answer, questionOf } = yield* completions
    const question = questionOf(args)
    const program = yield* Effect.promise(() => programFor(question.before))
    return yield* answer(
      program,
      question,
      builtIns(screen, () => Effect.void),
    ).pipe(Effect.provideService(Invocation, invocationOf([], context)))
  }
  const translated = Translate.translate(args.map(HomePath.inArgument))
  const shown = translated.color === "auto" ? screen : screen.withColors(translated.color)
  const signal = yield* Interruption.Interruption
  const words = Arguments.expand(translated.args)
  const logPath = Arguments.valueOf(words, "--log")
  const log = logPath === null ? null : yield* openLog(logPath, words, shown)
  const terminal = log === null ? shown : shown.loggedBy(log.message)
  const hide = TypedSecrets.hiding(args)
  const manner: FinalMessage.Manner = { terminal, json: FinalMessage.wantsJson(words), hide }
  const asked = DebugBundle.open(words)
  const bundle = Result.getOrElse(asked, () => null)
  const monitor = Arguments.valueOf(words, "--ping")
  const ping = monitor === null ? null : yield* openPing(monitor)
  const command = (translated.refusal ?? Effect.fromResult(asked)).pipe(
    Effect.andThen(ping === null ? Effect.void : Effect.fromResult(ping)),
    Effect.andThen(Effect.promise(() => programFor(words))),
    Effect.flatMap((program) => runProgram(program, words, terminal)),
    Effect.catchDefect(withoutFolder),
  )
  const afterError: Array<() => void> = []
  yield* command.pipe(
    Effect.provideService(AfterError, afterError),
    Effect.provideService(CliOutput.Presenter, FinalMessage.presenter(manner, translated.isWholeHelp)),
    Effect.provideService(Terminal, terminal),
    Effect.provideService(Invocation, invocationOf(translated.args, context)),
    Effect.provideService(
      Listeners,
      [bundle, log].flatMap((each) => (each === null ? [] : [each.record])),
    ),
    // An interrupted fiber runs only its finalizers.
    Effect.onExit((exit) =>
      Effect.gen(function* () {
        const exitCode = ExitCode.ofExit(exit, signal())
        if (Exit.isFailure(exit)) {
          FinalMessage.cause(manner, exit.cause, exitCode)
          for (const add of afterError) add()
        }
        const error = Exit.isFailure(exit) ? FinalMessage.documentOf(exit.cause) : null
        const problem = bundle?.write(error, exitCode) ?? null
        if (problem !== null) terminal.say(problem)
        const unsent = ping !== null && Result.isSuccess(ping) ? yield* ping.success(exitCode) : null
        if (unsent !== null) terminal.say(unsent, "yellow")
        log?.end(error, exitCode)
      }),
    ),
  )
})

const services = Layer.mergeAll(Platform.layer, Layer.provideMerge(Terminals.layer, Environment.layer))

/** Runs the program to its end in its process. `Interruption` handles signals, but for the ignored ones. */
export const run = (args: ReadonlyArray<string>, ignored: ReadonlyArray<Interruption.Signal>): void =>
  Interruption.run(Effect.provide(main(args), services), ExitCode.ofExit, ExitCode.ofSignal, ignored)
