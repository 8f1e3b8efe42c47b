/**
 * A digest as one self-contained HTML page: no script, no link, nothing to load. Pure. Each text of other people is escaped and isolated, so that it
 * can neither create an element nor change the direction of the text beside it.
 */
import { createHash } from "node:crypto"
import { Texts } from "@deedkit/export"
import type { Change } from "@deedkit/sync"
import { clean, truncate } from "../terminal/TerminalText.ts"
import type { AccountChanges, Difference, Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"

const light =
  "--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--ground:#fff;--mark:#fff3d1;--edge:#9a6700;--old:#a40e26;--new:#116329"
const dark =
  "--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--mark:#2e2509;--edge:#d29922;--old:#ff9a92;--new:#6bd58a"

/** The style sheet: light, dark and on paper. It has no line breaks, because the page gives its hash, and a browser applies no other one. */
const css = [
  `:root{color-scheme:light dark;${light}}`,
  `@media (prefers-color-scheme:dark){:root{${dark}}}`,
  "body{margin:2rem auto;max-width:60rem;padding:0 1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}",
  "h1{margin:0;font-size:1.6rem}h2{margin:2.5rem 0 .25rem;font-size:1.2rem;overflow-wrap:anywhere}p{margin:.25rem 0}",
  ".window{color:var(--soft);overflow-wrap:anywhere}.total{margin-top:1rem;font-weight:600}",
  "table{width:100%;margin-top:.75rem;border-collapse:collapse;table-layout:fixed}",
  "th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}",
  "thead th{color:var(--soft);font-size:.85rem}.record{width:26%}.change{width:14%}.seen{width:22%}",
  "td p{margin:0}del{color:var(--old);text-decoration:none}ins{color:var(--new);text-decoration:none}.member,time{color:var(--soft)}",
  ".unusual>*{background:var(--mark)}.unusual>:first-child{box-shadow:inset 4px 0 var(--edge)}strong{display:block;color:var(--edge)}",
  "@media screen and (max-width:40rem){table,tbody,tr,th,td{display:block}thead{display:none}.record,.change,.seen{width:auto}",
  "tr{padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th,td{padding:.1rem .6rem;border:0}}",
  `@media print{:root{color-scheme:light;${light}}body{margin:0;max-width:none;padding:0;font-size:9pt}`,
  "thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}.unusual>*{print-color-adjust:exact}}",
].join("")

/** The content security policy of the page: it allows this style sheet and nothing else. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ")

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

const value = (text: string | null, absent: string): string => (text === null ? absent : theirs(text))

const difference = ({ after, before, member }: Difference, absent: string, nothing: string): string =>
  `<p><span class="member">${theirs(member)}</span> <del>${value(before, absent)}</del> → <ins>${value(after, nothing)}</ins></p>`

const row = (change: Change, language: Texts.Language): string => {
  const say = (text: Texts.Text) => Texts.say(language, text)
  const { absent, differences, isUnusual, label } = Digests.factsOf(change)
  return [
    isUnusual ? '<tr class="unusual">' : "<tr>",
    `<th scope="row">${Texts.say(language, `${Digests.nounOf(change)} {0}`, change.id)}${label === "" ? "" : ` ${theirs(label)}`}</th>`,
    `<td>${say(change.change)}${isUnusual ? `<strong>${say("Unusual")}</strong>` : ""}</td>`,
    `<td>${differences.map((each) => difference(each, say(absent), say("nothing"))).join("")}</td>`,
    `<td>${time(change.seenAt)}</td></tr>`,
  ].join("")
}

const headings = (language: Texts.Language): string => {
  const heading = (text: Texts.Text, name: string): string =>
    `<th scope="col"${name}>${Texts.say(language, text)}</th>`
  return `<thead><tr>${heading("Record", ' class="record"')}${heading("Change", ' class="change"')}${heading("Before → after", "")}${heading("First seen", ' class="seen"')}</tr></thead>`
}

const section = (
  { account, lists }: AccountChanges,
  language: Texts.Language,
  isSummary: boolean,
): ReadonlyArray<string> => {
  const changes = Digests.changesOf({ lists })
  return [
    "<section>",
    `<h2>${theirs(account)}</h2>`,
    `<p>${Digests.total(changes, language)}</p>`,
    ...lists.flatMap((list) => Digests.factsOfList(list, language)).map((fact) => `<p>${fact}</p>`),
    ...(changes.length === 0 || isSummary
      ? []
      : [
          "<table>",
          headings(language),
          "<tbody>",
          ...changes.map((change) => row(change, language)),
          "</tbody>",
          "</table>",
        ]),
    "</section>",
  ]
}

/** The page, with a section for each account; in a summary without its changes. */
export const lines = (
  digest: Digest,
  language: Texts.Language = "en",
  isSummary = false,
): ReadonlyArray<string> => {
  const say = (text: Texts.Text, ...values: ReadonlyArray<string>) => Texts.say(language, text, ...values)
  const { mirror, since, until } = digest
  return [
    "<!doctype html>",
    `<html lang="${language}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(say("Changes to {0}", Digests.moment(until)))}</title>`,
    `<style>${css}</style>`,
    "</head>",
    "<body>",
    `<h1>${say("Changes")}</h1>`,
    `<p class="window">${say("First seen from {0} to {1} in {2}.", since === null ? say("the first read") : time(since), time(until), theirs(mirror))}</p>`,
    `<p class="total">${Digests.total(Digests.changesOf(digest), language)}</p>`,
    ...Digests.accountsOf(digest).flatMap((each) => section(each, language, isSummary)),
    "</body>",
    "</html>",
  ]
}
