/** `deedkit api PATH`: the JSON that the service answers to any GET request, with every integer exact (Spec: Endpoints 8). */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { examples, root, texts } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import * as RecordText from "../records/RecordText.ts"
import * as Session from "../session/Session.ts"

const own = {
  path: Argument.String("path").pipe(
    Argument.withMetavar("PATH"),
    Argument.withDescription("The path below the base URL, such as v1/me/, also with a query"),
  ),
  query: texts("query", "NAME=VALUE", "A query parameter. Repeat for several"),
} as const

const queryOf = (
  pairs: ReadonlyArray<string>,
): Effect.Effect<{ readonly [name: string]: string }, Failure> => {
  const query = new Map<string, string>()
  for (const pair of pairs) {
    const end = pair.indexOf("=")
    if (end < 1) return usageError("Invalid value for --query", "Write it as NAME=VALUE.")
    const name = pair.slice(0, end)
    if (query.has(name)) return usageError(`--query ${name} is given twice`)
    query.set(name, pair.slice(end + 1))
  }
  return Effect.succeed(Object.fromEntries(query))
}

export const api: Subcommand<"api"> = Command.make(
  "api",
  own,
  Effect.fn(function* ({ path, query: pairs }) {
    const flags = yield* root
    const [plain = "", search = ""] = path.split(/\?(.*)/s)
    const inPath = Array.from(new URLSearchParams(search), ([name, value]) => `${name}=${value}`)
    const query = yield* queryOf([...inPath, ...pairs])
    const { client, terminal } = yield* Session.open(flags, "interactive")
    const answer = yield* client.request(plain.replace(/^(?=v\d)/, "/"), { query })
    const indent = terminal.width === null ? undefined : 2
    yield* terminal.json(RecordText.json(answer, client.redact, indent))
  }, Effect.scoped),
).pipe(
  examples(`
    deedkit api v1/me/
    deedkit api v1/contracts/ --query limit=1 | jq '.items[0]'  # With a query, for another program
  `),
)
