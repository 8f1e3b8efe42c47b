/** A digest for a terminal: a line for each change, below the name of its account. Pure. Every part that comes from elsewhere is cleaned. */
import type { Change, ListChanges } from "@deedkit/sync"
import type { DressedLine, Style } from "../../../terminal/TerminalStyle.ts"
import { dress, none } from "../../../terminal/TerminalStyle.ts"
import { clean, truncate } from "../../../terminal/TerminalText.ts"
import type { Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"

const longest = 60

const shown = (text: string): string => truncate(clean(text), longest)

/** `  contract 1204 (3B) changed: status active -> ended`. */
const line = (change: Change, style: Style): string => {
  const { absent, differences, isUnusual, label } = Digests.factsOf(change)
  const what = `${Digests.nounOf(change)} ${change.id}${label === "" ? "" : ` (${shown(label)})`} ${change.change}`
  const told = differences.map(
    ({ after, before, member }) =>
      `${shown(member)} ${shown(before ?? absent)} -> ${shown(after ?? "nothing")}`,
  )
  const sentence = told.length === 0 ? what : `${what}: ${told.join("; ")}`
  return isUnusual ? style("yellow", `! ${sentence} (unusual)`) : `  ${sentence}`
}

const listLines = (list: ListChanges, style: Style): ReadonlyArray<string> => {
  const first = Digests.firstRead(list)
  const changes = list.changes.map((change) => line(change, style))
  return first === null ? changes : [`  ${first}`, ...changes]
}

/** The changes by account. An unusual change begins with an exclamation mark. */
export const lines = (digest: Digest, style: Style = none): ReadonlyArray<DressedLine> =>
  dress(
    digest.lists.flatMap((list, at) => {
      const own = listLines(list, style)
      return digest.lists[at - 1]?.account === list.account ? own : [clean(list.account), ...own]
    }),
  )

/** `3 added, 1 changed from 2026-11-21T06:00:00.000Z to 2026-11-22T06:00:00.000Z.` */
export const closing = (digest: Digest): string =>
  `${Digests.total(Digests.changesOf(digest))} from ${digest.since} to ${digest.until}.`
