/**
 * The program: all commands under one name, with their output on the terminal and their result as an exit code. Also its process: arguments,
 * environment and streams go in, an exit code comes out.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { auth } from "./account/Auth.command.ts"
import { config } from "./account/profile/Config.command.ts"
import { contracts } from "./records/Contracts.command.ts"
import { demo } from "./export/demo/Demo.command.ts"
import { doctor } from "./doctor/Doctor.command.ts"
import { exportCommand } from "./export/Export.command.ts"
import { keys } from "./records/keys/Keys.command.ts"
import { mcp } from "./mcp/Mcp.command.ts"
import { me } from "./account/Me.command.ts"
import { profile } from "./account/profile/Profile.command.ts"
import * as Arguments from "./command/Arguments.ts"
import * as DebugBundle from "./session/DebugBundle.ts"
import * as Environment from "./terminal/Environment.ts"
import * as ExitCode from "./failure/ExitCode.ts"
import { usageError } from "./failure/Failure.ts"
import * as Interruption from "./failure/Interruption.ts"
import { Invocation } from "./command/Invocation.ts"
import * as Presenter from "./command/Presenter.ts"
import * as Report from "./command/Report.ts"
import { root } from "./command/Root.ts"
import { sync } from "./sync/Sync.command.ts"
import type { CommandError } from "./command/Subcommand.ts"
import * as Platform from "./terminal/Platform.ts"
import * as Terminals from "./terminal/Terminal.ts"
import { Terminal } from "./terminal/Terminal.ts"
import { version } from "./command/Version.ts"

const deedkit = root.pipe(
  Command.withExamples([
    { command: "deedkit demo", description: "See it work, without an account" },
    { command: "deedkit me", description: "Check address and key" },
    {
      command: "deedkit export contracts --for excel --out contracts.csv",
      description: "All contracts, for Excel",
    },
  ]),
  Command.withSubcommands([
    demo,
    exportCommand,
    contracts,
    keys,
    sync,
    me,
    auth,
    profile,
    doctor,
    config,
    mcp,
  ]),
)

/** Runs the arguments that follow the program's name. */
export const main = (
  args: ReadonlyArray<string>,
): Effect.Effect<
  void,
  CommandError | CliError.CliError,
  Environment.Environment | Terminal | Command.Environment
> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const signal = yield* Interruption.Interruption
    const words = Arguments.expand(args)
    const json = Report.wantsJson(words)
    const bundlePath = DebugBundle.pathIn(words)
    const isTaken = bundlePath !== null && DebugBundle.isTaken(bundlePath)
    const bundle = bundlePath === null || isTaken ? null : DebugBundle.make(bundlePath, words)
    const command = isTaken
      ? Effect.fail(usageError(`${bundlePath} exists already`, "Give --debug-bundle the name of a new file."))
      : Command.runWith(deedkit, { version })(words)
    yield* command.pipe(
      Effect.provideService(CliOutput.Presenter, Presenter.make(terminal, json)),
      Effect.provideService(
        CliConfig.CliConfig,
        CliConfig.make({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
      ),
      Effect.provideService(Invocation, { args }),
      Effect.provideService(DebugBundle.DebugBundle, bundle),
      // An interrupted fiber runs only its finalizers.
      Effect.onExit((exit) =>
        Effect.sync(() => {
          const exitCode = ExitCode.ofExit(exit, signal())
          if (Exit.isFailure(exit)) Report.cause(terminal, json, exit.cause, exitCode)
          if (bundle !== null) writeBundle(terminal, bundle, exit, exitCode)
        }),
      ),
    )
  })

const writeBundle = (
  terminal: Terminal["Service"],
  bundle: ReturnType<typeof DebugBundle.make>,
  exit: Exit.Exit<unknown, unknown>,
  exitCode: number,
): void => {
  const error = Exit.isFailure(exit) ? Report.documentOf(exit.cause) : null
  try {
    bundle.write(error, exitCode)
  } catch (cause) {
    terminal.say(
      `The debug bundle could not be written (${(cause as NodeJS.ErrnoException).code ?? "no code"}).`,
    )
  }
}

const services = Layer.mergeAll(Platform.layer, Layer.provideMerge(Terminals.layer, Environment.layer))

/** Runs the program to its end in its process. `Interruption` handles signals. */
export const run = (args: ReadonlyArray<string>): void =>
  Interruption.run(Effect.provide(main(args), services), ExitCode.ofExit, ExitCode.ofSignal)
