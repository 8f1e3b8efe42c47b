/**
 * A digest as Markdown. Pure. Texts of other people occur only in code spans, where nothing is a link, an image, HTML or a mention, in any dialect.
 */
import type { Change } from "@deedkit/sync"
import { clean, truncate } from "../../../terminal/TerminalText.ts"
import type { AccountChanges, Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"

const longest = 200

/** A code span, delimited by more backticks than the text has in a row. A cleaned text has no line breaks. */
const code = (text: string): string => {
  const shown = truncate(clean(text), longest)
  const runs = shown.match(/`+/g)?.map(({ length }) => length) ?? []
  const fence = "`".repeat(Math.max(0, ...runs) + 1)
  // A space at both ends belongs to the delimiters, unless the text consists only of spaces.
  const padding = /^`|`$|^ .*[^ ].* $/.test(shown) ? " " : ""
  return shown === "" ? "(empty)" : `${fence}${padding}${shown}${padding}${fence}`
}

const item = (change: Change): string => {
  const { absent, differences, isUnusual, label } = Digests.factsOf(change)
  const what = `${Digests.nounOf(change)} ${change.id}${label === "" ? "" : ` (${code(label)})`} ${change.change}`
  const told = differences.map(({ after, before, member }) => {
    const old = before === null ? absent : code(before)
    return `${code(member)} ${old} → ${after === null ? "nothing" : code(after)}`
  })
  const sentence = told.length === 0 ? what : `${what}: ${told.join("; ")}`
  return isUnusual ? `- **Unusual:** ${sentence}` : `- ${sentence}`
}

const section = ({ account, lists }: AccountChanges): ReadonlyArray<string> => {
  const first = lists.map(Digests.firstRead).filter((each) => each !== null)
  const items = [...first.map((each) => `- ${each}`), ...Digests.changesOf({ lists }).map(item)]
  return ["", `## ${code(account)}`, "", ...items]
}

/** The document with a heading for each account. */
export const lines = (digest: Digest): ReadonlyArray<string> => {
  const { mirror, since, until } = digest
  return [
    "# Changes",
    "",
    `First seen from ${Digests.moment(since)} to ${Digests.moment(until)} in ${code(mirror)}.`,
    "",
    `**${Digests.total(Digests.changesOf(digest))}**`,
    ...Digests.accountsOf(digest).flatMap(section),
  ]
}
