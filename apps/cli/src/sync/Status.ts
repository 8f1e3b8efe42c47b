/** `deedkit sync status MIRROR`: prints a line for each account, and exits with code 9 if one is not complete or too old. Sends nothing. */
import { Json } from "@deedkit/core"
import { Period } from "@deedkit/export"
import type { AccountStatus } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { checked, examples, mirrorArgument, root, toggle } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import { codes } from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import { Failure } from "../failure/Failure.ts"
import { duration, figure } from "../terminal/Figures.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { clean, dress } from "../terminal/TerminalText.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"
import * as Mirror from "./Mirror.ts"
import * as RunText from "./RunText.ts"

const own = {
  mirror: mirrorArgument,
  check: toggle(
    "check",
    "Also count all records and follow all proofs, which finds rows that something else has changed; reads the whole mirror",
  ),
  maxAge: checked(
    "max-age",
    "SPAN",
    Period.spanShape,
    (span) => Period.span(span) !== null,
    "Exit with code 9 when an account was last complete longer ago than SPAN, such as 36h or 2d",
  ),
} as const

type Choices = Command.Command.Config.Infer<typeof own>

const columns = [
  TerminalTable.left("Account"),
  TerminalTable.right("Contracts"),
  TerminalTable.right("API keys"),
  TerminalTable.left("State"),
  TerminalTable.left("Complete"),
]

const age = (since: string | null, nowMillis: number): string => {
  if (since === null) return "never"
  const millis = nowMillis - Date.parse(since)
  // If the clock was set back, the age would be negative.
  return millis < 0 ? since : `${duration(millis)} ago`
}

/** An account as it is shown. */
interface Shown {
  readonly status: AccountStatus
  /** Since when it is complete; null if it never was. */
  readonly completeAt: string | null
  readonly state: string
  /** Its problems, in sentences; null if it is complete and recent enough. */
  readonly why: string | null
}

const cells = ({ completeAt, state, status }: Shown, nowMillis: number): ReadonlyArray<string> => {
  const records = (name: string): string => {
    const list = status.lists.find(({ collection }) => collection === name)
    return list === undefined ? "" : figure(list.records)
  }
  return [status.account, records("contracts"), records("api-keys"), state, age(completeAt, nowMillis)]
}

const work: Work<Choices> = Effect.fn(function* ({ check, maxAge, mirror }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const accounts = yield* Mirror.read(mirror, (store) => (check ? store.check : store.status))
  const nowMillis = yield* Clock.currentTimeMillis
  const recent = maxAge === undefined ? null : RunText.recentAt(nowMillis, maxAge)
  const found = accounts.map((status): Shown => {
    const why = RunText.accountProblem(status, recent)
    return { status, completeAt: RunText.completeAt(status), state: RunText.stateOf(status, why), why }
  })
  if (flags.json) {
    const document = {
      mirror,
      at: new Date(nowMillis).toISOString(),
      accounts: found.map(({ completeAt, state, status: each, why }) =>
        Object.assign({}, each, { complete: why === null, completeAt, state, why }),
      ),
    }
    yield* terminal.json(Json.stringify(document, 2))
  } else if (found.length > 0 && !flags.quiet) {
    const rows = found.map((each) => cells(each, nowMillis))
    const [heading, ...lines] = TerminalTable.render(columns, rows, terminal)
    // A reason is a sentence and would be truncated in a column.
    const told = lines.flatMap((line, at) => {
      const { why } = found[at]!
      return why === null ? [line] : [line].concat(dress([`  ${clean(why)}`]))
    })
    yield* terminal.dressed([...(heading === undefined ? [] : [heading]), ...told])
  }
  const problems = found.flatMap(({ status: { account }, why }): ReadonlyArray<AccountProblem> =>
    why === null ? [] : [{ account, problem: why, exitCode: codes.notComplete }],
  )
  // A nightly check must not take a mirror without accounts as complete.
  if (problems.length > 0 || accounts.length === 0) {
    return yield* new Failure({
      reason: { _tag: "NotSynced", problems, accounts: accounts.length, isTold: !flags.json && !flags.quiet },
    })
  }
})

export const status: Subcommand<"status"> = Command.make("status", own, work).pipe(
  Command.withDescription("Show for each account of a mirror whether it is complete, and since when"),
  examples(`
    deedkit sync status mirror.sqlite  # One line for each account
    # In a scheduled job: exit code 9 when an account is not complete, or too old
    deedkit sync status mirror.sqlite --max-age 36h --quiet
    # The accounts that need attention
    deedkit sync status mirror.sqlite --json | jq -r '.accounts[] | select(.complete | not) | .account'
  `),
)
