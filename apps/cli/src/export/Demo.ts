/**
 * `deedkit demo`: runs an export in a few seconds, without an account. It uses an emulator of the service on a loopback port, real HTTP, a rate
 * limit, and files.
 */
import { join } from "node:path"
import type { ExportResult } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { examples } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import * as RecordKinds from "../records/RecordKind.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import * as RecordText from "../records/RecordText.ts"
import type { Session } from "../session/Session.ts"
import { connect, output } from "../session/Session.ts"
import { Environment } from "../terminal/Environment.ts"
import { count } from "../terminal/Figures.ts"
import { makeFolder } from "./OutName.ts"
import type { ExportJob, JobOptions } from "./RunExport.ts"
import { contractsJob, keysJob, writeTables } from "./RunExport.ts"

const contracts = 250
const pageSize = 50
const shownRows = 8

/** An emulator that answers its third request with 429. */
const serve = Effect.acquireRelease(
  Effect.promise(async () => {
    const { make } = await import("@deedkit/emulator")
    const { listen } = await import("@deedkit/emulator/node")
    const emulator = make({
      contracts,
      faults: [{ name: "rate-limit", retryAfter: 1, when: { requests: [3] } }],
    })
    return { emulator, server: await listen(emulator) }
  }),
  ({ server }) => Effect.promise(() => server.close()),
)

const writeAndShow = Effect.fn(function* <A extends { readonly id: number }>(
  session: Session,
  kind: RecordKind<A>,
  makeJob: (session: Session, options: JobOptions<A>) => Effect.Effect<ExportJob>,
  folder: string,
  json: boolean,
) {
  const { client, note, terminal } = session
  const first: Array<A> = []
  const job = yield* makeJob(session, {
    pageSize,
    onPage: ({ records }) => first.push(...records.slice(0, shownRows - first.length)),
  })
  const result = yield* writeTables(session, [job], {
    targets: (["csv", "xlsx"] as const).map((format) => ({
      format,
      target: join(folder, `${kind.name}.${format}`),
    })),
    format: { flavour: "excel", formulaGuard: "on", compression: "fast" },
    overwrite: true,
  })
  if (!json) {
    const { style, width } = terminal
    note("")
    yield* terminal.dressed(RecordText.tableLines(kind, first, { width, style, redact: client.redact }))
    const rows = result.manifest.tables[0]?.rows ?? 0
    const more = rows - first.length
    if (more > 0) note(`... and ${count(more, "more row", "more rows")}`, "dim")
    note("")
  }
  return result
})

const ownAccount = (invocation: string): string =>
  `With your own account:

  ${invocation} auth login                       asks for base URL and API key
  ${invocation} export all --out everything.xlsx

${invocation} --help lists all commands.`

const run: Work<{ readonly out: string }> = Effect.fn(function* ({ out }) {
  const { flags, note, terminal } = yield* output
  const { invocation } = yield* Environment
  yield* makeFolder(out)
  const { emulator, server } = yield* serve
  note(
    `A local emulator of the service answers at ${server.url} during the demo: sample contracts and API keys, no account needed.\n`,
  )
  // The address and key from the environment are not used for the emulator.
  const options = { baseUrl: server.url, apiKey: emulator.apiKey, retry: "patient", rate: 0 } as const
  const session = yield* connect(options, flags)
  const results: ReadonlyArray<ExportResult> = [
    yield* writeAndShow(session, RecordKinds.contracts, contractsJob, out, flags.json),
    yield* writeAndShow(session, RecordKinds.keys, keysJob, out, flags.json),
  ]
  if (flags.json) yield* terminal.json(JSON.stringify({ files: results }, null, 2))
  note(`The files are in ${out}. Open them in any spreadsheet.\n`, "bold")
  note(ownAccount(invocation))
}, Effect.scoped)

export const demo: Subcommand<"demo"> = Command.make(
  "demo",
  {
    out: Flag.String("out").pipe(
      Flag.withMetavar("FOLDER"),
      Flag.withDescription("Folder for the files, created if needed; default ./demo"),
      Flag.withDefault("demo"),
    ),
  },
  run,
).pipe(
  examples(`
    deedkit demo
    deedkit demo --out /tmp/demo  # Write the files to another folder
  `),
)
