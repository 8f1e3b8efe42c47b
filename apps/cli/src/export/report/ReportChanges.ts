/**
 * The changes of a report since an earlier export: a sheet with a row for each difference, by the same comparison as `export diff`, and the facts for
 * the cover. A contract that only one of the two files has counts as added or gone only if the other file is known to hold every contract.
 */
import type { Contract } from "@deedkit/core"
import { Account, contracts, DerivedTable, Diff, ExportError } from "@deedkit/export"
import type { Cover, Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ExportedTable from "../diff/ExportedTable.ts"
import type { EarlierExport } from "./EarlierExport.ts"
import type { SoFar } from "./ReportCover.ts"
import { moment, windowOf } from "./ReportCover.ts"

type Facts = Cover.Cover["sections"][number]["facts"]

export interface ReportChanges {
  /** Receives the contracts of each page. */
  readonly collect: (contracts: ReadonlyArray<Contract.Contract>) => void
  /** The sheet of changes; empty if the earlier export cannot be read. */
  readonly derived: ReadonlyArray<DerivedTable.DerivedTable>
  readonly facts: (soFar: SoFar) => Facts
  /** `Since march.xlsx: 2 added, 3 changed, 0 gone.` */
  readonly sentence: () => string
}

/** A row of the sheet: a difference, or a note about one of the two files. */
interface Row {
  readonly change: string
  /** Null for a note. */
  readonly of: Diff.Change | null
  readonly note: string | null
}

const words = { added: "not in the earlier export", gone: "not in this report" } as const

const labels: ReadonlyMap<string, string> = new Map(contracts.columns.map(({ label, name }) => [name, label]))
const labelOf = (member: string): string => labels.get(member) ?? member

const table: Table.Table<Row> = {
  name: "changes",
  title: "Changes",
  columns: [
    {
      name: "change",
      label: "Change",
      kind: "text",
      tones: {
        added: "good",
        changed: "attention",
        gone: "muted",
        note: "attention",
        [words.added]: "attention",
        [words.gone]: "attention",
      },
      get: ({ change }) => change,
    },
    // This heading differs from that of the contracts' own ids, which identifies their sheet when a workbook is read back.
    { name: "contract", label: "Contract id", kind: "json", role: "id", get: ({ of }) => of?.id ?? null },
    { name: "unit_label", label: "Unit", kind: "text", get: ({ note, of }) => note ?? of?.name ?? null },
    { name: "listing", label: "Listing", kind: "text", get: ({ of }) => of?.listing ?? null },
    {
      name: "member",
      label: "What",
      kind: "text",
      get: ({ of }) => (of?.member == null ? null : labelOf(of.member)),
    },
    { name: "before", label: "Before", kind: "text", get: ({ of }) => of?.before ?? null },
    { name: "after", label: "After", kind: "text", get: ({ of }) => of?.after ?? null },
  ],
  onDemand: [],
}

const rowsOfPage = 1_000

/** Every change of a contract also changes its update time, which is shown only if nothing else differs. */
const isShown = ({ id, member }: Diff.Change, at: number, all: ReadonlyArray<Diff.Change>): boolean =>
  member !== "updated_at" || (all[at - 1]?.id !== id && all[at + 1]?.id !== id)

/** Compares with an earlier export. Fails with `TimeZonesDiffer` if the zone of its times is not known. */
export const make = (
  earlier: EarlierExport,
  hasData: boolean,
): Effect.Effect<ReportChanges, ExportError.ExportError> =>
  Effect.gen(function* () {
    const aligned = Diff.alignToRecords(earlier.content, ExportedTable.tables)
    if (Result.isFailure(aligned)) {
      return yield* new ExportError.ExportError({ reason: { _tag: "TimeZonesDiffer", ...aligned.failure } })
    }
    const { after, before, zone } = aligned.success
    // Payloads that only one of the two files holds are not a change of a contract.
    const isComparable = earlier.hasData === hasData
    const compared = contracts.columns.filter(({ name }) => name !== "extra" || isComparable)
    const comparison = new Diff.Comparison(before)
    let difference: Diff.Difference | null = null
    const differing = (): Diff.Difference => (difference ??= comparison.end())
    const { name, reasons } = earlier
    const isWhole = reasons.length === 0
    /** Set when the sheet is written. */
    let isComplete = false
    /** Set when the account is known. */
    let ofKeys = ""

    /** Notes about both files, in sentences. */
    const notes = (): ReadonlyArray<string> => {
      const { onlyAfter, onlyBefore } = differing()
      const known = onlyBefore.filter((column) => labels.has(column))
      const omitted = [...onlyAfter, ...known].map(labelOf)
      return [
        ...(isWhole
          ? []
          : [
              `${name} is not known to hold every contract. ${reasons.join(" ")} A contract that is not in it need not be new.`,
            ]),
        ...(isComplete
          ? []
          : [
              "This report is not known to hold every contract. A contract that is not in it may still exist.",
            ]),
        ...(omitted.length === 0 ? [] : [`Not compared: ${omitted.join(", ")}.`]),
        ...(zone === "UTC" ? [] : [`Times before and after are those of ${zone}, as in ${name}.`]),
      ]
    }

    const counts = (): string => {
      const { added, changed, gone } = differing()
      return `${added} ${isWhole ? "added" : words.added}, ${changed} changed, ${gone} ${isComplete ? "gone" : words.gone}`
    }

    const rows = function* (isKnownWhole: boolean): Generator<ReadonlyArray<Row>> {
      isComplete = isKnownWhole
      const changes = differing().changes.filter(isShown)
      const wordOf = (change: Diff.Change["change"]): string =>
        change === "added" && !isWhole ? words.added : change === "gone" && !isComplete ? words.gone : change
      const rowOf = (of: Diff.Change): Row => ({
        change: wordOf(of.change),
        of,
        note: null,
      })
      // One row per sentence, so that each fits on one line: the cells beside it are empty.
      const sentences = notes().flatMap((note) => note.split(/(?<=\.) (?=\p{Lu})/u))
      const first = sentences.map((note): Row => ({ change: "note", of: null, note }))
      // Notes and changes together, because the first page determines the column widths.
      yield [...first, ...changes.slice(0, rowsOfPage).map(rowOf)]
      for (let from = rowsOfPage; from < changes.length; from += rowsOfPage) {
        yield changes.slice(from, from + rowsOfPage).map(rowOf)
      }
    }

    return {
      collect: (records) => {
        comparison.add(after(records.map((record) => Diff.rowOf({ columns: compared }, record))))
      },
      derived: [DerivedTable.make(table, rows)],
      facts: (soFar) => {
        const file = soFar.files[0]?.name
        ofKeys = keysOf(earlier, soFar)
        const later = file === undefined || file === "-" ? "This report" : Account.clean(file)
        return [
          { name: "Changes", table: table.title, text: `${counts()}, ${differing().same} unchanged` },
          { name: "Before", text: `${name}, ${sourceOf(earlier, soFar)}` },
          { name: "After", text: `${later}, read ${windowOf(soFar)}` },
          ...[...notes(), ofKeys].filter((text) => text !== "").map((text) => ({ name: "Note", text })),
        ]
      },
      sentence: () => `Since ${name}: ${counts()}.${ofKeys === "" ? "" : ` ${ofKeys}`}`,
    }
  })

/** A note that the two files were read with different keys, unless the service says that both keys belong to one caller. Empty if no note is needed. */
const keysOf = ({ name, source }: EarlierExport, { account }: SoFar): string => {
  const before = source?.account ?? null
  if (before === null || before.keyFingerprint === null || account.keyFingerprint === null) return ""
  // Only a text or a number can distinguish two callers.
  const tells = Object.values(before.me ?? {}).some((value) => typeof value !== "boolean")
  const isOne = tells && JSON.stringify(before.me) === JSON.stringify(account.me)
  return before.keyFingerprint === account.keyFingerprint || isOne
    ? ""
    : `${name} was read with another key. If it is the key of another account, the differences are not changes.`
}

/** When an earlier export was read; also its origin and profile, if they differ from those of the report. */
const sourceOf = ({ source }: EarlierExport, { account, origin }: SoFar): string => {
  if (source === null) return "read at an unknown moment"
  const { endedAt, profile, startedAt } = source
  const isOwn = profile === undefined || profile === account.profile
  return [
    `read ${moment(startedAt)} to ${moment(endedAt)} UTC`,
    ...(source.origin === origin ? [] : [`from ${source.origin}`]),
    ...(isOwn ? [] : [profile === null ? "with a key of no profile" : `with profile ${profile}`]),
  ]
    .map((text) => Account.clean(text))
    .join(", ")
}

/** The changes since a file that the report replaces and that cannot be read. */
export const unknown = (name: string): ReportChanges => {
  const text = `Not known: ${name}, which this report replaced, could not be read as an export of contracts`
  return {
    collect: () => {},
    derived: [],
    facts: () => [{ name: "Changes", text }],
    sentence: () => `Changes: ${text}.`,
  }
}
