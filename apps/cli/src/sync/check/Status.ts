/** `deedkit sync status MIRROR`: prints a line for each account, and exits with code 9 if one is not complete or too old. Sends nothing. */
import { Json } from "@deedkit/core"
import type { AccountStatus } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Age from "../../command/Age.ts"
import { root } from "../../command/Root.ts"
import type { Work } from "../../command/Subcommand.ts"
import { codes } from "../../failure/ExitCode.ts"
import type { AccountProblem } from "../../failure/Failure.ts"
import { Failure, usageError } from "../../failure/Failure.ts"
import { count, duration } from "../../terminal/Figures.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import { dress } from "../../terminal/TerminalStyle.ts"
import { clean } from "../../terminal/TerminalText.ts"
import * as TerminalTable from "../../terminal/TerminalTable.ts"
import type { TableColumn } from "../../terminal/TerminalTable.ts"
import * as Mirror from "../mirror/Mirror.ts"
import * as RunText from "../mirror/RunText.ts"
import type { StatusChoices } from "./Status.command.ts"

const columns: ReadonlyArray<TableColumn> = [
  { heading: "Account", align: "left", shrinks: false },
  { heading: "Contracts", align: "right", shrinks: false },
  { heading: "API keys", align: "right", shrinks: false },
  { heading: "State", align: "left", shrinks: false },
  { heading: "Complete", align: "left", shrinks: false },
]

/** The last moment of the year 9999: ISO 8601 writes later moments in another form. */
const latestMillis = 253_402_300_799_999

/** The problems of an account, in sentences; null if it is complete. The last failure comes first, because it says what to do now. */
const problemOf = (
  { addedAt, lists, problem, problemAt }: AccountStatus,
  recent: RunText.Recent | null,
): string | null => {
  const problems = [
    ...(problem === null ? [] : [`Failed at ${problemAt}: ${problem}`]),
    ...lists.flatMap((each) => RunText.problemOf(each, each.collection, recent) ?? []),
    ...(lists.length === 0 ? ["It was never read."] : []),
    ...(addedAt === null ? [RunText.rowless] : []),
  ]
  return problems.length === 0 ? null : problems.join(" ")
}

/** How far the clock of another machine may be ahead of this one. */
const mostAheadMillis = 300_000

/** The range of moments that count as recent: up to `maxAge` ago, and slightly in the future. */
const recentAt = (nowMillis: number, maxAge: string): RunText.Recent => {
  // The flag accepts only valid spans.
  const span = Age.parse(maxAge) ?? 0
  const momentAt = (millis: number): string =>
    new Date(Math.min(Math.max(0, millis), latestMillis)).toISOString()
  return { from: momentAt(nowMillis - span), to: momentAt(nowMillis + Math.min(span, mostAheadMillis)) }
}

/** The moment since which all lists of an account are known to be complete; null if one never was. */
const completeAt = ({ lists }: AccountStatus): string | null => {
  const moments = lists.map(({ lastComplete }) => lastComplete?.endedAt ?? null)
  return moments.reduce<string | null>(
    (earliest, each) => (earliest === null || each === null ? null : each < earliest ? each : earliest),
    moments[0] ?? null,
  )
}

const age = (since: string | null, nowMillis: number): string => {
  if (since === null) return "never"
  const millis = nowMillis - Date.parse(since)
  // If the clock was set back, the age would be negative.
  return millis < 0 ? since : `${duration(millis)} ago`
}

const stateOf = (account: AccountStatus, why: string | null): string => {
  const { lists, problem } = account
  if (problem !== null) return "failed"
  if (why === null) return lists.every(({ last }) => last?.completeness === "proven") ? "proven" : "confirmed"
  if (lists.some(({ last, running }) => last === null && running !== null)) return "interrupted"
  return problemOf(account, null) === null ? "stale" : "not complete"
}

const cells = (status: AccountStatus, why: string | null, nowMillis: number): ReadonlyArray<string> => {
  const records = (name: string): string => {
    const list = status.lists.find(({ collection }) => collection === name)
    return list === undefined ? "" : count(list.records, "", "").trim()
  }
  const state = stateOf(status, why)
  return [
    status.account,
    records("contracts"),
    records("api-keys"),
    state,
    age(completeAt(status), nowMillis),
  ]
}

/** The error for contradictory flags; null if there is none. */
const contradiction = ({ format, out }: StatusChoices, json: boolean): Failure | null => {
  if (json && format !== undefined)
    return usageError(`--json and --format ${format} cannot be combined`, "Choose one of them.")
  return out !== undefined && format !== "prometheus"
    ? usageError("--out needs --format prometheus", "Add it, or omit --out.")
    : null
}

/** Replaces the file as a whole: a collector that reads at the same time finds the old metrics or the new ones. */
const writeMetrics = (lines: ReadonlyArray<string>, target: string) =>
  Effect.gen(function* () {
    const { bytes } = yield* Terminal
    const { writeFile } = yield* Effect.promise(() => import("@deedkit/export/run"))
    yield* writeFile({
      target,
      overwrite: true,
      stdout: bytes,
      content: (put) => put(new TextEncoder().encode(`${lines.join("\n")}\n`)),
    })
  })

export const status: Work<StatusChoices> = Effect.fn(function* (choices) {
  const { format, maxAge, mirror, out = "-" } = choices
  const flags = yield* root
  const terminal = yield* Terminal
  const wrong = contradiction(choices, flags.json)
  if (wrong !== null) return yield* wrong
  const accounts = yield* Mirror.read(mirror, (store) => store.status)
  const nowMillis = yield* Clock.currentTimeMillis
  const recent = maxAge === undefined ? null : recentAt(nowMillis, maxAge)
  const found = accounts.map((each) => ({ status: each, why: problemOf(each, recent) }))
  if (format === "prometheus") {
    const { lines } = yield* Effect.promise(() => import("./StatusMetrics.ts"))
    yield* writeMetrics(
      lines(
        found.map(({ status: each, why }) => ({ status: each, isComplete: why === null })),
        nowMillis,
      ),
      out,
    )
  } else if (flags.json) {
    const document = {
      mirror,
      at: new Date(nowMillis).toISOString(),
      accounts: found.map(({ status: each, why }) =>
        Object.assign({}, each, {
          complete: why === null,
          completeAt: completeAt(each),
          state: stateOf(each, why),
          why,
        }),
      ),
    }
    yield* terminal.json(Json.stringify(document, 2))
  } else if (found.length > 0) {
    const rows = found.map(({ status: each, why }) => cells(each, why, nowMillis))
    const { style, width } = terminal
    const [heading, ...lines] = TerminalTable.render(columns, rows, { width, style })
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
      reason: {
        _tag: "NotSynced",
        problems,
        accounts: accounts.length,
        isTold: !flags.json && format !== "prometheus",
      },
    })
  }
})
