/** `deedkit mcp install`: prints what an assistant's configuration needs to start the server. Nothing is written. */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { examples } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { shellWord, startedAs } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import { find, nameOf } from "../session/ProfileChoice.ts"
import { output } from "../session/Session.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import * as HomePath from "../terminal/HomePath.ts"
import { write } from "../terminal/Terminal.ts"

/** A configuration: where it goes, and its text for a server of this name. */
interface Client {
  readonly place: string
  readonly text: (name: string, command: string, args: ReadonlyArray<string>) => string
}

const servers =
  (member: string): Client["text"] =>
  (name, command, args) =>
    JSON.stringify({ [member]: { [name]: { command, args } } }, null, 2)

const desktop =
  process.platform === "darwin"
    ? HomePath.expand("~/Library/Application Support/Claude/claude_desktop_config.json")
    : process.platform === "win32"
      ? "%APPDATA%\\Claude\\claude_desktop_config.json"
      : HomePath.expand("~/.config/Claude/claude_desktop_config.json")

const clients = {
  "claude-desktop": { place: `Merge it into ${desktop}.`, text: servers("mcpServers") },
  "claude-code": {
    place: "Run this command.",
    text: (name, command, args) =>
      ["claude", "mcp", "add", name, "--", ...[command, ...args].map(shellWord)].join(" "),
  },
  cursor: { place: `Merge it into ${HomePath.expand("~/.cursor/mcp.json")}.`, text: servers("mcpServers") },
  vscode: { place: "Merge it into .vscode/mcp.json of a workspace.", text: servers("servers") },
  codex: {
    place: `Append it to ${HomePath.expand("~/.codex/config.toml")}.`,
    text: (name, command, args) =>
      `[mcp_servers.${JSON.stringify(name)}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
  },
} as const satisfies { readonly [name: string]: Client }

type ClientName = keyof typeof clients
const names = Object.keys(clients) as ReadonlyArray<ClientName>

export const install: Subcommand<"install"> = Command.make(
  "install",
  {
    client: Argument.Literals("client", names).pipe(
      Argument.withMetavar("CLIENT"),
      Argument.withDescription("The assistant"),
    ),
  },
  Effect.fn(function* ({ client }) {
    const { flags, note, terminal } = yield* output
    const variables = yield* Environment
    const { profiles } = yield* ProfileFile.load(variables)
    const chosen = yield* nameOf(flags, variables, profiles)
    if (chosen === null) {
      return yield* usageError(
        "There is no profile for the assistant",
        "Create one with `deedkit auth login`: an assistant has none of this shell's variables.",
      )
    }
    yield* find(profiles, chosen.value)
    // The profile is named, so that another current one does not change the account. Assistants search no path for programs.
    const [command, ...args] = [...startedAs(variables.trust), "mcp", "--profile", chosen.value]
    const name = chosen.value === "default" ? "deedkit" : `deedkit-${chosen.value}`
    yield* write(terminal.bytes, `${clients[client].text(name, command, args)}\n`)
    note(`${clients[client].place} For another account, run this again with --profile NAME.`)
  }),
).pipe(
  Command.withDescription("Print the configuration of an assistant that starts this server"),
  examples(`
    deedkit mcp install claude-desktop
    deedkit mcp install codex --profile office
  `),
)
