/** The cover of a digest's workbook: the window, the counts, and the accounts with the most changes. Pure. */
import type { Cover } from "@deedkit/export"
import { version } from "../../../command/Version.ts"
import { count } from "../../../terminal/Figures.ts"
import type { AccountChanges, Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"

const changeTones = { added: "good", changed: "attention", removed: "muted", returned: null } as const

/** Maximum number of accounts that the cover lists by name; the sheet of accounts has all. */
const mostAccounts = 12

const byAccount = (accounts: ReadonlyArray<AccountChanges>): Cover.CrossTable | null => {
  const counted = accounts
    .map((each) => {
      const ofKinds = Digests.countsOf(Digests.changesOf(each))
      const counts = Digests.kinds.map((kind) => ofKinds[kind])
      return { name: each.account, counts, sum: counts.reduce((sum, number) => sum + number, 0) }
    })
    .filter(({ sum }) => sum > 0)
    .toSorted((one, other) => other.sum - one.sum)
  const others = counted.slice(mostAccounts)
  const rest = {
    name: count(others.length, "other account", "other accounts"),
    counts: Digests.kinds.map((_, at) => others.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)),
  }
  if (counted.length === 0) return null
  return {
    title: "Changes by account",
    rowLabel: "Account",
    columns: Digests.kinds.map((kind) => ({ name: kind, tone: changeTones[kind] })),
    rows: [...counted.slice(0, mostAccounts), ...(others.length === 0 ? [] : [rest])],
  }
}

/** Makes the cover. */
export const make = (digest: Digest, accounts: ReadonlyArray<AccountChanges>): Cover.Cover => {
  const changes = Digests.changesOf(digest)
  const counts = Digests.countsOf(changes)
  return {
    title: "Changes",
    subtitle: `First seen from ${Digests.moment(digest.since)} to ${Digests.moment(digest.until)}`,
    verdict: {
      text: `${Digests.total(changes)}.`,
      tone: counts.unusual > 0 ? "attention" : "muted",
    },
    figures: Digests.kinds.map((kind) => ({ label: kind, value: counts[kind] })),
    counts: byAccount(accounts),
    sections: [
      {
        title: "What is in this workbook",
        facts: [
          { name: "Changes", table: "Changes", text: "A row for each member of a record that changed" },
          { name: "Accounts", table: "Accounts", text: "Counts by account" },
        ],
      },
      {
        title: "Where it is from",
        facts: [
          { name: "Mirror", text: digest.mirror },
          { name: "Made by", text: `deedkit ${version}` },
        ],
      },
    ],
  }
}
