/**
 * The changes of a report since a moment, from the history of a mirror: a sheet with a row for each member that differs, and the facts for the cover.
 */
import { Json } from "@deedkit/core"
import type { Cover, Table } from "@deedkit/export"
import { contracts, DerivedTable, Texts, worded } from "@deedkit/export"
import type { Change, ListChanges } from "@deedkit/sync"
import { valueAt } from "@deedkit/sync"
import * as Digests from "../sync/Digest.ts"
import type { Difference } from "../sync/Digest.ts"
import type { Clock } from "./ReportCover.ts"
import { momentText } from "./ReportCover.ts"

export interface ReportChanges {
  readonly derived: DerivedTable.DerivedTable
  readonly facts: Cover.Cover["sections"][number]["facts"]
  /** `Since 2026-11-01T00:00:00.000Z: 2 added, 3 changed.` */
  readonly sentence: string
}

/** A member that differs, or a whole contract. */
interface Row {
  readonly change: Change
  readonly label: string
  readonly difference: Difference | null
}

/** A heading that says in which zone its times are. */
const inZone = (label: string, { zone }: Clock): string => label.replace("(UTC)", `(${zone})`)

/** The headings of contracts by the names of members. */
const labelsIn = (clock: Clock): ReadonlyMap<string, string> =>
  new Map(
    Texts.inLanguage(contracts, clock.language).columns.map(({ label, name }) => [
      name,
      inZone(label, clock),
    ]),
  )

const listingOf = ({ before, body }: Change): string | null => {
  const title = valueAt(Json.parse(body ?? before ?? "null"), "listing.title")
  return typeof title === "string" ? title : null
}

const shownOf = (
  difference: Difference | null,
  side: "before" | "after",
  { language, local }: Clock,
): string | null => {
  const value = difference?.[side] ?? null
  switch (value === null ? null : difference?.member) {
    case "status":
    case "kind":
      return worded(value ?? "", language)
    case "created_at":
    case "updated_at":
      return local(value ?? "").replace("T", " ")
    default:
      return value
  }
}

const tones = { added: "good", changed: "attention", removed: "muted", returned: "attention" } as const

const tableIn = (clock: Clock): Table.Table<Row> => {
  const { language, local } = clock
  const labels = labelsIn(clock)
  const table: Table.Table<Row> = {
    name: "changes",
    title: "Changes",
    columns: [
      {
        name: "change",
        label: "Change",
        kind: "text",
        tones: Object.fromEntries(
          Object.entries(tones).map(([change, tone]) => [
            Texts.say(language, change as keyof typeof tones),
            tone,
          ]),
        ),
        get: ({ change }) => Texts.say(language, change.change),
      },
      { name: "contract", label: "Contract id", kind: "integer", role: "id", get: ({ change }) => change.id },
      { name: "unit_label", label: "Unit", kind: "text", get: ({ label }) => label || null },
      { name: "listing", label: "Listing", kind: "text", get: ({ change }) => listingOf(change) },
      {
        name: "member",
        label: "What",
        kind: "text",
        get: ({ difference }) =>
          difference === null ? null : (labels.get(difference.member) ?? difference.member),
      },
      {
        name: "before",
        label: "Before",
        kind: "text",
        get: ({ difference }) => shownOf(difference, "before", clock),
      },
      {
        name: "after",
        label: "After",
        kind: "text",
        get: ({ difference }) => shownOf(difference, "after", clock),
      },
      {
        name: "seen_at",
        label: inZone("First seen (UTC)", clock),
        kind: "timestamp",
        shows: "day",
        get: ({ change }) => local(change.seenAt),
      },
    ],
    onDemand: [],
  }
  return Texts.inLanguage(table, language)
}

const rowsOf = (change: Change): ReadonlyArray<Row> => {
  const { differences, label } = Digests.factsOf(change)
  const shown = differences.length === 0 ? [null] : differences
  return shown.map((difference) => ({ change, label, difference }))
}

const changesOfPage = 1_000

/** The changes of the contracts of an account. `since` is in ISO 8601 UTC. */
export const make = (since: string, list: ListChanges, clock: Clock): ReportChanges => {
  const { language } = clock
  const table = tableIn(clock)
  const { changes } = list
  const total = Digests.total(changes, language)
  const others = Digests.factsOfList(list, language)
  return {
    derived: DerivedTable.make(table, function* () {
      for (let from = 0; from < changes.length; from += changesOfPage)
        yield changes.slice(from, from + changesOfPage).flatMap(rowsOf)
    }),
    facts: [
      { name: Texts.say(language, "Since"), text: momentText(since, clock) },
      { name: table.title, table: table.title, text: total },
      ...others.map((text) => ({ name: Texts.say(language, "Not counted"), text })),
    ],
    sentence: `Since ${since}: ${Digests.total(changes)}.`,
  }
}
