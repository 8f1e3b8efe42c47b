/**
 * `deedkit keys audit`: lists API keys that need attention, and what to do about them (Spec: Resources, API key). The rules are in `KeyAudit`; this
 * file provides their limits as flags and prints the findings.
 */
import { KeyAudit } from "@deedkit/core"
import type { ApiKey, RejectedRecord } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "effect/cli/Command"
import { Failure } from "../failure/Failure.ts"
import { count } from "../terminal/Figures.ts"
import { rejectedFailure } from "../records/RecordList.ts"
import * as RecordText from "../records/RecordText.ts"
import type { RecordTableOptions } from "../records/RecordText.ts"
import { examples, root, toggle, wholeNumber } from "../command/SharedFlags.ts"
import * as Session from "../session/Session.ts"
import type { DressedLine } from "../terminal/TerminalText.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"
import type { Subcommand } from "../command/Subcommand.ts"

const limit = 100
const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

const own = {
  unusedDays: wholeNumber(
    "unused-days",
    `Report keys that have been unused for N days; default ${unusedDays}`,
  ),
  maxScopes: wholeNumber("max-scopes", `Report keys with more than N scopes; default ${maxScopes}`),
  maxAgeDays: wholeNumber("max-age-days", `Report keys that are older than N days; default ${maxAgeDays}`),
  failOnFindings: toggle("fail-on-findings", "Exit with code 12 when there are findings"),
} as const

const columns = [
  TerminalTable.left("Severity"),
  TerminalTable.right("Key"),
  TerminalTable.left("Name", true),
  TerminalTable.left("Finding", true),
]

const lines = (
  findings: ReadonlyArray<KeyAudit.Finding>,
  { redact, ...options }: RecordTableOptions,
): ReadonlyArray<DressedLine> =>
  TerminalTable.render(
    columns,
    findings.map((finding) => [
      finding.severity,
      String(finding.keyId),
      redact(finding.keyName),
      redact(KeyAudit.sentence(finding)),
    ]),
    options,
  )

/** The advice of each rule that has findings, once per rule. */
const advice = (findings: ReadonlyArray<KeyAudit.Finding>): ReadonlyArray<string> =>
  [...new Map(findings.map((finding) => [finding.rule, finding])).values()].map(
    (finding) => `${finding.rule}: ${finding.advice}`,
  )

const closing = (keys: ReadonlyArray<ApiKey.ApiKey>, findings: ReadonlyArray<KeyAudit.Finding>): string => {
  const concerned = new Set(findings.map(({ keyId }) => keyId)).size
  const all = count(keys.length, "API key", "API keys")
  return findings.length === 0
    ? `No findings (${all}).`
    : `${count(findings.length, "finding", "findings")} about ${concerned} of ${all}.`
}

export const audit: Subcommand<"audit"> = Command.make(
  "audit",
  own,
  Effect.fn(function* ({ failOnFindings, ...limits }) {
    const flags = yield* root
    const { client, note, terminal } = yield* Session.open(flags, "patient")
    const keys: Array<ApiKey.ApiKey> = []
    const rejected: Array<RejectedRecord> = []
    yield* Stream.runForEach(client.apiKeys.pages({ limit, onRejected: "collect" }), (page) =>
      Effect.sync(() => {
        for (const key of page.records) keys.push(key)
        for (const record of page.rejected) rejected.push(record)
      }),
    )
    terminal.live(null)
    const now = new Date(yield* Clock.currentTimeMillis)
    const findings = KeyAudit.audit(keys, { now, ...limits })

    if (flags.json) {
      const document = {
        judgedAt: now.toISOString(),
        limits: {
          unusedDays: limits.unusedDays ?? unusedDays,
          maxScopes: limits.maxScopes ?? maxScopes,
          maxAgeDays: limits.maxAgeDays ?? maxAgeDays,
        },
        keys: keys.length,
        rejected: rejected.map(({ id, issues }) => ({ id, issues })),
        findings: findings.map((finding) => Object.assign({}, finding, { says: KeyAudit.sentence(finding) })),
      }
      yield* terminal.json(RecordText.json(document, client.redact, 2))
    } else if (findings.length > 0) {
      const { style, width } = terminal
      yield* terminal.dressed(lines(findings, { width, style, redact: client.redact }))
    }
    note(closing(keys, findings))
    for (const line of advice(findings)) note(line, "dim")
    if (failOnFindings && findings.length > 0) {
      return yield* new Failure({ reason: { _tag: "AuditFindings", findings: findings.length } })
    }
    if (rejected.length > 0) return yield* rejectedFailure(rejected)
  }, Effect.scoped),
).pipe(
  Command.withDescription("Find API keys that are unused, have many scopes, or are old"),
  examples(`
    deedkit keys audit  # All findings, most severe first
    # In a scheduled job: exit code 12 when there are findings
    deedkit keys audit --unused-days 30 --fail-on-findings > audit.txt
    deedkit keys audit --json | jq -r '.findings[] | [.keyId, .rule] | @tsv'  # For another program
  `),
)
