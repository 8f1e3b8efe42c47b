/** `deedkit mcp`: serves contracts and API keys to assistants, read-only, over standard input and output (Model Context Protocol). */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { SharedFlags } from "../command/SharedFlags.ts"
import { examples, root, text, toggle } from "../command/SharedFlags.ts"
import { ofAccount } from "../command/Subcommand.ts"
import type { CommandError, Needs, Subcommand } from "../command/Subcommand.ts"
import { profilesOf } from "../export/ExportProfiles.ts"
import { usageError } from "../failure/Failure.ts"
import type { Sources } from "../mcp/Handlers.ts"
import { serve } from "../mcp/Serve.ts"
import * as Session from "../session/Session.ts"
import * as Settings from "../session/Settings.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import { Environment } from "../terminal/Environment.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { install } from "./mcpInstall.ts"

const own = {
  profiles: Flag.String("profiles").pipe(Flag.atLeast(0), Flag.withHidden),
  all: toggle("all", "Serve every profile; for some, repeat --profile"),
  from: MirrorFlags.mirrorFlags.from,
  exportTo: text("export-to", "FOLDER", "Let the assistant write exports as new files into this folder"),
} as const

type Choices = Command.Command.Config.Infer<typeof own>

/** The flags of the limits, for another process of this program. */
const limits = ({ attempts, baseUrl, cursorParam, rate, timeout }: SharedFlags): ReadonlyArray<string> =>
  Object.entries({
    "--base-url": baseUrl,
    "--cursor-param": cursorParam,
    "--rate": rate,
    "--timeout": timeout,
    "--attempts": attempts,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${value}`]))

/** The accounts of a mirror. It is opened anew for each call, so that a later sync is seen. */
const ofMirror = Effect.fnUntraced(function* (
  flags: SharedFlags,
  from: string,
): Effect.fn.Return<Sources, CommandError, Needs> {
  const MirrorSource = yield* Effect.promise(() => import("../sync/MirrorSource.ts"))
  const Mirror = yield* Effect.promise(() => import("../sync/Mirror.ts"))
  yield* MirrorSource.refuse(flags, {})
  const needs = yield* Effect.context<Needs>()
  return {
    accounts: yield* MirrorSource.accountsOf(from),
    open: (account, list) =>
      Effect.gen(function* () {
        const choices = { from, account, asOf: undefined }
        const moment = yield* MirrorFlags.momentOf(choices)
        return (yield* MirrorSource.open({ ...flags, quiet: true }, choices, moment, [list])).client
      }).pipe(Effect.provide(needs)),
    changesSince: (since) => Mirror.read(from, (store) => store.changes(since)).pipe(Effect.provide(needs)),
    flags: (account) => [`--from=${from}`, `--account=${account}`],
  }
})

/** The account of the flags, or several profiles. Nothing is sent yet. */
const ofService = Effect.fnUntraced(function* (
  flags: SharedFlags,
  names: ReadonlyArray<string>,
): Effect.fn.Return<Sources, CommandError, Needs | Scope.Scope> {
  const named = names.length > 0 ? null : (yield* Settings.gather(flags, yield* Environment)).choice.name
  // Flags and variables can name an account without a profile.
  const own = named?.value ?? "default"
  const clients = new Map<string, Session.Session["client"]>()
  for (const name of names.length === 0 ? [own] : names) {
    const profile = names.length === 0 ? flags.profile : name
    // Progress is for people, so it is not shown here.
    const session = yield* ofAccount(name)(Session.open({ ...flags, profile, quiet: true }, "interactive"))
    clients.set(name, session.client)
  }
  return {
    accounts: [...clients.keys()],
    open: (account) => Effect.succeed(clients.get(account)!),
    flags: (account) => [
      ...limits(flags),
      ...(names.length === 0 && named === null ? [] : [`--profile=${account}`]),
    ],
  }
})

export const mcp: Subcommand<"mcp"> = Command.make(
  "mcp",
  own,
  Effect.fn(function* ({ exportTo, from, ...choices }: Choices) {
    const flags = yield* root
    if (flags.apiKeyStdin) {
      return yield* usageError(
        "deedkit mcp uses standard input for the protocol, so --api-key-stdin cannot be used",
        "Name a profile with --profile, or set DEEDKIT_BASE_URL and DEEDKIT_API_KEY or DEEDKIT_API_KEY_FILE.",
      )
    }
    const names = yield* profilesOf(choices)
    if (from !== undefined && names.length > 0)
      return yield* usageError(
        "--from serves all accounts of a mirror, not profiles",
        "Leave out the profiles.",
      )
    const sources = from === undefined ? yield* ofService(flags, names) : yield* ofMirror(flags, from)
    const { say } = yield* Terminal
    yield* serve({ ...sources, folder: exportTo === undefined ? undefined : resolve(exportTo) }, say)
  }, Effect.scoped),
).pipe(
  Command.withSubcommands([install]),
  examples(`
    deedkit mcp install claude-desktop  # Print the configuration
    deedkit mcp  # The command that it has
    deedkit mcp --all --export-to ~/Documents  # Every profile, and files for it to write
    deedkit mcp --from mirror.sqlite  # From a mirror, with what changed since
    deedkit mcp --verbose 2> mcp.log  # With a log of every request to the service
  `),
)
