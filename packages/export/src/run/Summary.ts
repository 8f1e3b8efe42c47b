/** A table about the export itself: its source, account, time and verdict, and its records by status, kind and city. */
import type { Json } from "@deedkit/core"
import type { Account } from "../proof/Account.ts"
import type { Manifest } from "../proof/Manifest.ts"
import type { Count } from "../table/Overview.ts"
import * as DerivedTable from "../write/DerivedTable.ts"
import type { Table } from "../table/Table.ts"

export interface SummaryRow {
  readonly section: string
  readonly item: string
  readonly value: Json.Json
}

export const summary: Table<SummaryRow> = {
  name: "summary",
  title: "Summary",
  columns: [
    { name: "section", label: "About", kind: "text", get: (row) => row.section },
    { name: "item", label: "What", kind: "text", get: (row) => row.item },
    {
      name: "value",
      label: "Value",
      kind: "json",
      wraps: true,
      tones: { complete: "good", partial: "attention", unverified: "attention" },
      get: (row) => row.value,
    },
  ],
  onDemand: [],
}

const accountRows = ({ keyFingerprint, me, meReason, profile }: Account): ReadonlyArray<SummaryRow> => [
  ...(profile === null ? [] : [{ section: "Account", item: "Profile", value: profile }]),
  ...(keyFingerprint === null
    ? []
    : [{ section: "Account", item: "Key fingerprint", value: keyFingerprint }]),
  ...(me === null
    ? [{ section: "Account", item: "What the service says of it", value: `not known: ${meReason}` }]
    : Object.entries(me).map(([path, value]) => ({ section: "Account", item: path, value }))),
]

/** The facts of a manifest that readers of the tables need, then the counts of each of its tables, in their order. */
export const rowsOf = (
  manifest: Pick<
    Manifest,
    "account" | "mirror" | "origin" | "reasons" | "startedAt" | "tables" | "timeZone" | "verdict"
  >,
  counts: ReadonlyArray<ReadonlyArray<Count>>,
): ReadonlyArray<SummaryRow> => [
  { section: "Export", item: "Source", value: manifest.origin },
  ...(manifest.mirror === undefined
    ? []
    : [
        { section: "Export", item: "Account in the mirror", value: manifest.mirror.account },
        { section: "Export", item: "As of (UTC)", value: manifest.mirror.asOf ?? "the last read" },
      ]),
  { section: "Export", item: "Taken at (UTC)", value: manifest.startedAt },
  { section: "Export", item: "Times are in", value: manifest.timeZone },
  { section: "Export", item: "Verdict", value: manifest.verdict },
  ...manifest.reasons.map((reason) => ({ section: "Export", item: "Because", value: reason })),
  ...accountRows(manifest.account),
  ...manifest.tables.flatMap(({ account, filters, rows, stored, title, reading }, at) => [
    ...(account === undefined ? [] : [{ section: title, item: "Account", value: account }]),
    { section: title, item: "Rows", value: rows },
    ...filters.map((filter) => ({ section: title, item: "Only", value: filter })),
    { section: title, item: "Read from the service", value: reading.records },
    ...(stored === undefined
      ? [
          { section: title, item: "Skipped because they came twice", value: reading.duplicates },
          { section: title, item: "Changed while they were read", value: reading.changedDuringRead },
        ]
      : [{ section: title, item: "Run of the mirror", value: stored.run }]),
    ...(counts[at] ?? []).map(({ label, records, value }) => ({
      section: `${title} by ${label.toLowerCase()}`,
      item: value ?? "(none)",
      value: records,
    })),
  ]),
]

/** The summary, written after everything else. */
export const derived = (counts: ReadonlyArray<ReadonlyArray<Count>>): DerivedTable.DerivedTable =>
  DerivedTable.make(summary, (soFar) => [rowsOf(soFar(), counts)])
