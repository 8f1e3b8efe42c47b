/** The texts of a new command: it counts contracts, which uses an account, a request, both forms of output and an error. */
import type { Name } from "../plan/Name.ts"

/** The words after the program's name. */
type Words = ReadonlyArray<string>

/** Name, flags and examples; \`up\` leads from its folder to \`src\`. */
export const flags = ({ camel, kebab, pascal }: Name, words: Words, up: string): string => `
/** \`deedkit ${words.join(" ")}\`: how many contracts the API key can read. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "${up}command/Subcommand.ts"
import { whenRun } from "${up}command/Subcommand.ts"

export const ${camel}: Subcommand<"${kebab}"> = Command.make(
  "${kebab}",
  {},
  whenRun(async () => (await import("./${pascal}.ts")).${camel}),
).pipe(
  Command.withDescription("Count the contracts that the API key can read"),
  Command.withExamples([
    { command: "deedkit ${words.join(" ")}" },
    { command: "deedkit ${words.join(" ")} --json | jq .contracts", description: "For a script" },
  ]),
)
`

export const work = ({ camel }: Name, words: Words, up: string): string => `
/** \`deedkit ${words.join(" ")}\`: how many contracts the API key can read. A list that ends early is an error, and no count is printed. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { root } from "${up}command/Root.ts"
import type { Work } from "${up}command/Subcommand.ts"
import * as Session from "${up}session/Session.ts"

export const ${camel}: Work = Effect.fn(function* () {
  const flags = yield* root
  const { client, terminal } = yield* Session.open(flags, "interactive")
  const contracts = yield* Stream.runCount(client.contracts.list())
  if (flags.json) return yield* terminal.json(JSON.stringify({ contracts }))
  yield* terminal.lines([String(contracts)])
}, Effect.scoped)
`

export const test = (words: Words, up: string): string => `
import { describe, expect, it } from "vitest"
import { bench, lastJson } from "${up}harness/Cli.ts"

const command = ${JSON.stringify([...words, "--rate", "0"])}

describe("deedkit ${words.join(" ")}", () => {
  it("counts the contracts of all pages", async () => {
    await using it = await bench({ contracts: 120 })
    expect(await it.call(command)).toMatchObject({ code: 0, stdout: "120\\n" })
  })

  it("prints JSON for scripts", async () => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr, stdout } = await it.call([...command, "--json"])
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, { contracts: 3 }, ""])
  })

  it("prints no count when the list ends early", async () => {
    await using it = await bench({ contracts: 120, faults: ["server-error:page=2"] })
    const { code, stderr, stdout } = await it.call([...command, "--attempts", "1", "--json"])
    expect([code, stdout, lastJson(stderr)["error"]]).toEqual([7, "", "ServerFault"])
  })
})
`
