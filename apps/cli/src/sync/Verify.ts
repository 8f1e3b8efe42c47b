/**
 * `deedkit sync verify MIRROR`: reads a sample by id and compares it with the mirror. Exits with code 9 if a record differs without an update or
 * could not be compared, or if an account has no records to compare, because then nothing is verified.
 */
import { Json } from "@deedkit/core"
import { verifyAccount } from "@deedkit/sync"
import type { Difference, MirrorStore, Verified } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { examples, mirrorArgument, root, wholeNumber } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import { codes } from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import { count, figure } from "../terminal/Figures.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { accountFlags } from "./AccountList.ts"
import * as AccountList from "./AccountList.ts"
import * as Mirror from "./Mirror.ts"

const own = {
  mirror: mirrorArgument,
  ...accountFlags,
  sample: wholeNumber("sample", "Records of each list that are compared; default 20"),
} as const

type Choices = Command.Command.Config.Infer<typeof own>

interface Outcome {
  readonly account: string
  readonly found: Verified | null
  readonly error: Mirror.AccountError | null
  readonly problem: AccountProblem | null
}

const mostNamed = 3

/** `contract 1301 (status)`. A text that was changed in the mirror can be without members. */
const nameOf = ({ collection, id, members }: Difference): string =>
  `${nounsOf(collection).one} ${id} (${members.length === 0 ? "its stored text" : members.join(", ")})`

const problemOf = ({ account, compared, different, unreadable }: Verified): AccountProblem | null => {
  const named = different.slice(0, mostNamed).map(nameOf)
  const rest = different.length - named.length
  const problems = [
    ...(compared === 0
      ? ["The mirror has no records of it. `deedkit sync status` says whether its lists were read."]
      : []),
    ...(different.length === 0
      ? []
      : [
          `${count(different.length, "record differs", "records differ")} from the service without an update: ${named.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}. Sync again, then verify again.`,
        ]),
    ...(unreadable === 0
      ? []
      : [
          `${count(unreadable, "record", "records")} could not be compared, because the service's answer is not as specified. \`deedkit doctor\` shows what it answers.`,
        ]),
  ]
  return problems.length === 0 ? null : { account, problem: problems.join(" "), exitCode: codes.notComplete }
}

/** `acme: 40 compared, 38 same, 2 changed since the sync`, or `acme: nothing compared`. */
const line = ({ account, changed, compared, different, gone, same, unreadable }: Verified): string =>
  [
    `${account}: ${compared === 0 ? "nothing" : figure(compared)} compared`,
    ...(compared === 0 ? [] : [`${figure(same)} same`]),
    ...(changed === 0 ? [] : [`${figure(changed)} changed since the sync`]),
    ...(gone === 0 ? [] : [`${figure(gone)} removed since the sync`]),
    ...(unreadable === 0 ? [] : [`${figure(unreadable)} not as specified`]),
    ...(different.length === 0 ? [] : [`${figure(different.length)} different`]),
  ].join(", ")

const work: Work<Choices> = Effect.fn(function* ({ mirror, sample, ...choices }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const listed = yield* AccountList.list(flags, choices)
  const send = yield* AccountList.sharedTransport
  const one = (store: MirrorStore, { name: account, open }: AccountList.Listed) =>
    Effect.flatMap(open(send), ({ client }) => verifyAccount({ store, client, account, sample })).pipe(
      Effect.scoped,
      Effect.match({
        onSuccess: (found): Outcome => ({ account, found, error: null, problem: problemOf(found) }),
        onFailure: (error): Outcome => ({
          account,
          found: null,
          error,
          problem: Mirror.problemOf(account, error),
        }),
      }),
    )
  const outcomes = yield* Mirror.read(mirror, (store) =>
    Effect.forEach(listed, (each) => one(store, each), { concurrency: 4 }),
  )
  if (flags.json) {
    const accounts = outcomes.map(({ account, found, problem }) => ({
      account,
      found,
      problem: problem?.problem ?? null,
    }))
    yield* terminal.json(Json.stringify({ mirror, accounts }, 2))
  } else yield* terminal.lines(outcomes.flatMap(({ found }) => (found === null ? [] : [`${line(found)}.`])))
  yield* Mirror.failOf(outcomes)
}, Effect.scoped)

export const verify: Subcommand<"verify"> = Command.make("verify", own, work).pipe(
  Command.withDescription("Compare a sample of a mirror with the service, record by record"),
  examples(`
    deedkit sync verify mirror.sqlite  # 20 records of each list of the current account
    # A larger sample of every account of a file
    deedkit sync verify mirror.sqlite --accounts accounts.jsonl --sample 100
  `),
)
