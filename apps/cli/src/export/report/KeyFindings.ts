/** A table of API keys with the audit findings of each: the urgency and the finding itself (Spec: Resources, API key). */
import { KeyAudit } from "@deedkit/core"
import type { ApiKey } from "@deedkit/core"
import { apiKeysAt } from "@deedkit/export"
import type { Column, Table } from "@deedkit/export"

type KeyColumn = Column.Column<ApiKey.ApiKey>

const severities = ["high", "medium", "low"] as const

/** The table at a moment, in milliseconds since 1970. The cells for findings are empty for a key without any. */
export const tableAt = (nowMillis: number): Table.Table<ApiKey.ApiKey> => {
  const table = apiKeysAt(nowMillis)
  const find = (key: ApiKey.ApiKey) => KeyAudit.audit([key], { now: new Date(nowMillis) })
  const findings: ReadonlyArray<KeyColumn> = [
    {
      name: "priority",
      label: "Priority",
      kind: "text",
      isComputed: true,
      tones: { high: "attention", medium: "attention", low: "muted" },
      get: (key) => {
        const found = new Set(find(key).map(({ severity }) => severity))
        return severities.find((severity) => found.has(severity)) ?? null
      },
    },
    {
      name: "findings",
      label: "Findings",
      kind: "text",
      isComputed: true,
      wraps: true,
      get: (key) =>
        find(key)
          .map((finding) => KeyAudit.sentence(finding))
          .join("; ") || null,
    },
  ]
  const { columns, onDemand, printed = columns.length } = table
  return {
    ...table,
    columns: [
      ...columns.slice(0, 2),
      ...findings,
      ...columns.slice(2, printed),
      ...onDemand.filter(({ name }) => name === "age_days" || name === "unused_days"),
      ...columns.slice(printed),
    ],
    printed: printed + findings.length,
  }
}
