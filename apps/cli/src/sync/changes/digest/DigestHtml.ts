/**
 * A digest as one self-contained HTML page: no script, no link, nothing to load. Pure. Each text of other people is escaped and isolated, so that it
 * can neither create an element nor change the direction of the text beside it.
 */
import type { Change } from "@deedkit/sync"
import { clean, truncate } from "../../../terminal/TerminalText.ts"
import type { AccountChanges, Difference, Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"
import { css, policy } from "./PageStyle.ts"

const longest = 200

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!)

/** A text of other people, escaped and isolated. */
const theirs = (text: string): string => `<bdi>${escaped(truncate(clean(text), longest))}</bdi>`

const time = (timestamp: string): string =>
  `<time datetime="${escaped(timestamp)}">${escaped(Digests.moment(timestamp))}</time>`

const value = (text: string | null, absent: Digests.Facts["absent"]): string =>
  text === null ? absent : theirs(text)

const difference = ({ after, before, member }: Difference, absent: Digests.Facts["absent"]): string =>
  `<p><span class="member">${theirs(member)}</span> <del>${value(before, absent)}</del> → <ins>${value(after, "nothing")}</ins></p>`

const row = (change: Change): string => {
  const { absent, differences, isUnusual, label } = Digests.factsOf(change)
  return [
    isUnusual ? '<tr class="unusual">' : "<tr>",
    `<th scope="row">${Digests.nounOf(change)} ${change.id}${label === "" ? "" : ` ${theirs(label)}`}</th>`,
    `<td>${change.change}${isUnusual ? "<strong>Unusual</strong>" : ""}</td>`,
    `<td>${differences.map((each) => difference(each, absent)).join("")}</td>`,
    `<td>${time(change.seenAt)}</td></tr>`,
  ].join("")
}

const headings =
  '<thead><tr><th scope="col" class="record">Record</th><th scope="col" class="change">Change</th><th scope="col">Before → after</th><th scope="col" class="seen">First seen</th></tr></thead>'

const section = ({ account, lists }: AccountChanges): ReadonlyArray<string> => {
  const changes = Digests.changesOf({ lists })
  return [
    "<section>",
    `<h2>${theirs(account)}</h2>`,
    `<p>${Digests.total(changes)}</p>`,
    ...lists.map(Digests.firstRead).flatMap((first) => (first === null ? [] : [`<p>${first}</p>`])),
    ...(changes.length === 0
      ? []
      : ["<table>", headings, "<tbody>", ...changes.map(row), "</tbody>", "</table>"]),
    "</section>",
  ]
}

/** The page, with a section for each account. */
export const lines = (digest: Digest): ReadonlyArray<string> => {
  const { mirror, since, until } = digest
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>Changes to ${escaped(Digests.moment(until))}</title>`,
    `<style>${css}</style>`,
    "</head>",
    "<body>",
    "<h1>Changes</h1>",
    `<p class="window">First seen from ${time(since)} to ${time(until)} in ${theirs(mirror)}.</p>`,
    `<p class="total">${Digests.total(Digests.changesOf(digest))}</p>`,
    ...Digests.accountsOf(digest).flatMap(section),
    "</body>",
    "</html>",
  ]
}
