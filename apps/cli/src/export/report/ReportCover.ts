/**
 * The cover of a report: the verdict in words, the main figures, and what is missing from the workbook because the service does not provide it. Pure.
 */
import { Account } from "@deedkit/export"
import type { Cover, Manifest, StatusByCity } from "@deedkit/export"
import { count } from "../../terminal/Figures.ts"

/** The manifest of a run whose files are not finished. */
export type SoFar = Manifest.Manifest

/** `2026-03-01 09:30:00`. */
const moment = (timestamp: string): string => timestamp.slice(0, 19).replace("T", " ")

const verdictOf = ({ reasons, tables, verdict }: SoFar): Cover.Cover["verdict"] => {
  const [contracts, keys] = tables.map(({ rows }) => rows)
  if (verdict === "complete") {
    return {
      text: `Complete: ${count(contracts ?? 0, "contract", "contracts")} and ${count(keys ?? 0, "API key", "API keys")}, all that existed during the whole read.`,
      tone: "good",
    }
  }
  const headline =
    verdict === "partial" ? "Partial: records are missing." : "Not shown to be complete (unverified)."
  return { text: [headline, ...reasons].join(" "), tone: "attention" }
}

/** The period in which all lists were read. */
const windowOf = ({ startedAt, tables }: SoFar): string => {
  const starts = tables.map(({ reading }) => reading.startedAt).toSorted()
  const ends = tables.map(({ reading }) => reading.endedAt).toSorted()
  return `${moment(starts[0] ?? startedAt)} to ${moment(ends.at(-1) ?? startedAt)} UTC`
}

/** Where the records come from, and when they were read. */
const subtitleOf = (soFar: SoFar): string => {
  const { mirror } = soFar
  if (mirror === undefined) return `As the service listed them, read ${windowOf(soFar)}`
  const asOf = mirror.asOf === null ? "" : ` at ${moment(mirror.asOf)} UTC`
  return `As a mirror knew them${asOf}, read ${windowOf(soFar)}`
}

/** Makes the cover, once all tables are written. `changes` are the facts about changes; empty if none are asked for. */
export const make = (
  soFar: SoFar,
  byCity: StatusByCity,
  units: number,
  changes: Cover.Cover["sections"][number]["facts"],
): Cover.Cover => {
  const { account, madeBy, mirror, origin, tables } = soFar
  const [contracts, keys] = tables.map(({ rows }) => rows)
  const owner = Account.clean(mirror?.account ?? account.profile ?? origin.replace(/^https?:\/\//, ""))
  return {
    title: `Contracts of ${owner}`,
    subtitle: subtitleOf(soFar),
    verdict: verdictOf(soFar),
    figures: [
      { label: "contracts", value: contracts ?? 0 },
      ...byCity
        .statuses()
        .slice(0, 3)
        .map(({ label, records }) => ({ label, value: records })),
    ],
    counts: byCity.table(),
    sections: [
      {
        title: "What is in this workbook",
        facts: [
          {
            name: "Contracts",
            table: "Contracts",
            text: `${count(contracts ?? 0, "row", "rows")}, one for each contract`,
          },
          {
            name: "API keys",
            table: "API keys",
            text: `${count(keys ?? 0, "row", "rows")}, with findings; the service never gives the secrets`,
          },
          {
            name: "Units",
            table: "Units",
            text: `${count(units, "row", "rows")}: the latest contract of each; a unit without an id is identified by listing and label`,
          },
          { name: "Months", table: "Months", text: "Contracts created and last updated, by month in UTC" },
        ],
      },
      ...(changes.length === 0 ? [] : [{ title: "What has changed", facts: changes }]),
      {
        title: "What the service does not give",
        facts: [
          {
            name: "Not known",
            text: "Start, end, rent and tenant of a contract. A contract that has ended is counted in the month of its last update, because the date on which it ended is not given.",
          },
        ],
      },
      {
        title: "Where it is from",
        facts: [
          { name: "Source", text: origin },
          ...tables.flatMap(({ stored, title }) =>
            stored === undefined ? [] : [{ name: title, text: `Run ${stored.run} of a mirror` }],
          ),
          ...(account.profile === null ? [] : [{ name: "Profile", text: Account.clean(account.profile) }]),
          ...(account.keyFingerprint === null
            ? []
            : [{ name: "Key fingerprint", text: account.keyFingerprint }]),
          { name: "Made by", text: madeBy },
        ],
      },
    ],
  }
}
