/**
 * The session of a command: a connected client with progress and log, and notes that `--quiet` suppresses.
 *
 * A session is scoped: connections close with it, so that the process can end at once.
 *
 * Once a read has verified the cursor's parameter, which Spec: Endpoints 5 does not show, it is saved in the profile. Reads with a saved parameter search
 * for another one when it fails.
 */
import { Json, PropertyClient, Transport } from "@deedkit/core"
import type { ClientConfig, ClientError, ReadSummary, RetryPolicy } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type * as Stdio from "effect/Stdio"
import { root } from "../command/SharedFlags.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { StyleName } from "../terminal/TerminalText.ts"
import * as Connections from "./Connections.ts"
import { Listeners } from "../command/Subcommand.ts"
import * as Progress from "./Progress.ts"
import * as Settings from "./Settings.ts"

export interface Session {
  readonly client: PropertyClient.Service
  readonly terminal: Terminal.Service
  /** Prints a message on standard error, unless `--quiet` or `--json` is set. */
  readonly note: (text: string, name?: StyleName) => void
}

/** Opens a session, whose connections close with its scope. */
export type Connecting = Effect.Effect<
  Session,
  ClientError.ClientError | Failure,
  Scope.Scope | Environment | Stdio.Stdio | Terminal.Terminal
>

/** Makes the `note` of a session. */
export const note =
  (terminal: Terminal.Service, flags: Pick<SharedFlags, "json" | "quiet">): Session["note"] =>
  (text, name) => {
    if (flags.quiet || flags.json) terminal.remember(text)
    else terminal.say(text, name)
  }

/** What a command needs to print: its flags, the terminal, and a `note` that obeys `--quiet` and `--json`. */
export const output = Effect.gen(function* () {
  const flags = yield* root
  const terminal = yield* Terminal.Terminal
  return { flags, terminal, note: note(terminal, flags) }
})

/** Ends a command that has a document for programs and sentences for people. */
export const finish = Effect.fnUntraced(function* (document: object, ...sentences: ReadonlyArray<string>) {
  const { flags, note, terminal } = yield* output
  if (flags.json) yield* terminal.json(Json.stringify(document, 2))
  for (const sentence of sentences) note(sentence)
})

/** Wraps the transport, to observe requests and responses. */
export type Wrap = (send: Transport.Send) => Transport.Send

/** Connects a client with these options. */
export const connect = Effect.fnUntraced(function* (
  options: ClientConfig.ClientOptions,
  flags: Pick<SharedFlags, "json" | "quiet" | "verbose">,
  wrap: Wrap = (send) => send,
): Effect.fn.Return<
  Session,
  ClientError.ClientError | Failure,
  Scope.Scope | Environment | Terminal.Terminal
> {
  const terminal = yield* Terminal.Terminal
  // Refused here, because a request that fails for it would be tried again.
  yield* Connections.proxyOf(String(options.baseUrl))
  const send = yield* Connections.open()
  const client = yield* Effect.provideService(PropertyClient.make(options), Transport.Transport, wrap(send))
  for (const listener of yield* Listeners) client.listen(listener)
  if (flags.verbose) client.listen(Progress.log(terminal, flags.json))
  if (!flags.quiet && !flags.json) client.listen(yield* Progress.make(terminal))
  return { client, terminal, note: note(terminal, flags) }
})

/** Listens to the reads of a client. The returned function gives the summary of the latest read whose cursor was verified. */
const watchCursor = (client: PropertyClient.Service): (() => ReadSummary | null) => {
  let newest: ReadSummary | null = null
  client.listen((event) => {
    if (event._tag === "PageRead" && event.summary.cursor.state === "verified") newest = event.summary
  })
  return () => newest
}

/** Saves the cursor that a read has verified in the profile of its address. Writes only if it changed. */
export const saveCursor = Effect.fnUntraced(function* (
  variables: Variables,
  own: ProfileFile.Known,
  cursor: ReadSummary["cursor"],
): Effect.fn.Return<void, Failure> {
  if (cursor.state !== "verified") return
  const verifiedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  const { evidence, parameter } = cursor
  yield* ProfileFile.learn(variables, own, (profile) =>
    profile.cursor?.parameter === parameter
      ? profile
      : { ...profile, cursor: { parameter, evidence: evidence ?? "a read to its end", verifiedAt } },
  )
})

const searchingRecords = <A, Options>(
  records: PropertyClient.Records<A, Options>,
): PropertyClient.Records<A, Options> => ({
  ...records,
  list: (options) => records.list({ cursorParam: "auto", ...options }),
  pages: (options) => records.pages({ cursorParam: "auto", ...options }),
  collect: (options) => records.collect({ cursorParam: "auto", ...options }),
})

/** The client with reads that search for another parameter if the configured one has no effect. */
const searching = (client: PropertyClient.Service): PropertyClient.Service => ({
  ...client,
  contracts: searchingRecords(client.contracts),
  apiKeys: searchingRecords(client.apiKeys),
})

/** Connects with collected settings. A verified cursor parameter is saved in the profile of that address. */
export const openWith = (
  sources: Settings.Sources,
  flags: SharedFlags,
  preset: RetryPolicy.Preset,
  wrap?: Wrap,
): Connecting =>
  Effect.gen(function* () {
    const variables = yield* Environment
    const session = yield* connect(yield* Settings.optionsOf(sources, flags, preset), flags, wrap)
    for (const warning of sources.choice.warnings) session.note(warning, "yellow")
    const { own } = sources
    if (own === null) return session
    const verified = watchCursor(session.client)
    yield* Effect.addFinalizer((exit) => {
      const reading = verified()
      if (reading === null || !(reading.complete || Exit.isSuccess(exit))) return Effect.void
      return Effect.catchTag(saveCursor(variables, own, reading.cursor), "Failure", (error) =>
        Effect.sync(() => session.note(error.message, "yellow")),
      )
    })
    return Settings.isKept(sources) ? { ...session, client: searching(session.client) } : session
  })

/** Connects with the settings of flags, environment and profile. */
export const open = (flags: SharedFlags, preset: RetryPolicy.Preset): Connecting =>
  Effect.gen(function* () {
    const sources = yield* Settings.gather(flags, yield* Environment)
    return yield* openWith(sources, flags, preset)
  })
