/** Runs the program inside the test, on streams that remember what was written: for what needs no process of its own. */
import { Writable } from "node:stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { Environment, read } from "../../src/terminal/Environment.ts"
import * as ExitCode from "../../src/failure/ExitCode.ts"
import * as Keychain from "../../src/store/Keychain.ts"
import { main } from "../../src/Main.ts"
import * as Prompts from "../../src/terminal/Prompts.ts"
import * as Terminal from "../../src/terminal/Terminal.ts"

/** How a run ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ScreenOptions {
  /** Columns of a terminal; without them the streams are pipes. */
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

const stream = (columns: number | undefined) => {
  let written = ""
  const writable = new Writable({
    write: (chunk: Buffer, _, done) => {
      written += chunk.toString("utf8")
      done()
    },
  })
  const tty = columns === undefined ? { isTTY: false } : { isTTY: true, columns }
  return { stream: Object.assign(writable, tty) as unknown as NodeJS.WriteStream, written: () => written }
}

/** A terminal, and what it was told to write. */
export const screen = ({ columns, env = {} }: ScreenOptions = {}) => {
  const out = stream(columns)
  const err = stream(columns)
  const variables = read(env)
  const terminal = Terminal.make({ out: out.stream, err: err.stream }, variables)
  return { terminal, variables, stdout: out.written, stderr: err.written }
}

export interface CallOptions extends ScreenOptions {
  /** Without it no keychain can be used, whatever the machine has. */
  readonly keychain?: Keychain.Service
  /** Without it nobody can be asked. */
  readonly prompts?: Prompts.Service
  /** What standard input holds; without it that of the test. */
  readonly stdin?: string
  /** Without it time passes as it does. */
  readonly clock?: Clock.Clock
}

const noKeychain = Keychain.unusable("there is none in this test")
const nobody: Prompts.Service = {
  canAsk: false,
  text: () => Effect.interrupt,
  secret: () => Effect.interrupt,
}

/** Standard input with a text. What a protocol writes on standard output is not kept. */
const piped = (text: string) =>
  Layer.succeed(
    Stdio.Stdio,
    Stdio.make({
      args: Effect.succeed([]),
      stdin: Stream.make(new TextEncoder().encode(text)),
      stdout: () => Sink.drain,
      stderr: () => Sink.drain,
    }),
  )

/** Runs to the end. */
export const call = async (args: ReadonlyArray<string>, options: CallOptions = {}): Promise<Ended> => {
  const { stderr, stdout, terminal, variables } = screen(options)
  const services = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(Terminal.Terminal, terminal),
    Layer.succeed(Environment, variables),
    Layer.succeed(Keychain.Keychain, options.keychain ?? noKeychain),
    Layer.succeed(Prompts.Prompts, options.prompts ?? nobody),
    ...(options.stdin === undefined ? [] : [piped(options.stdin)]),
    ...(options.clock === undefined ? [] : [Layer.succeed(Clock.Clock, options.clock)]),
  )
  const exit = await Effect.runPromiseExit(Effect.provide(main(args), services))
  return { code: ExitCode.ofExit(exit), stdout: stdout(), stderr: stderr() }
}
