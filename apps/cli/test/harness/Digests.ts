/** Digests of made-up changes, in which every text of other people is the given one, and texts that have made mischief in documents. */
import type { Change, ListChanges } from "@deedkit/sync"
import type { Digest } from "../../src/sync/Digest.ts"

/** One change of a contract, but for what is given. */
export const change = (given: Partial<Change> = {}): Change => ({
  account: "acme",
  collection: "contracts",
  id: 1301,
  version: 2,
  change: "changed",
  members: ["status"],
  seenAt: "2026-11-22T05:00:00.250Z",
  run: 2,
  body: '{"id":1301,"unit_label":"3B","status":"active"}',
  before: '{"id":1301,"unit_label":"3B","status":"draft"}',
  data: null,
  dataBefore: null,
  ...given,
})

/** A digest of these changes. */
export const digestOf = (changes: ReadonlyArray<Change>, given: Partial<Digest> = {}): Digest => {
  const lists = new Map<string, Omit<ListChanges, "changes"> & { readonly changes: Array<Change> }>()
  for (const each of changes) {
    const { account, collection } = each
    const key = JSON.stringify([account, collection])
    const list = lists.get(key) ?? { account, collection, firstRead: 2, held: 0, run: 2, changes: [] }
    list.changes.push(each)
    lists.set(key, list)
  }
  return {
    mirror: "mirror.sqlite",
    since: "2026-11-21T06:00:00.000Z",
    until: "2026-11-22T06:00:00.000Z",
    lists: [...lists.values()],
    ...given,
  }
}

/** A digest with this text in every place that other people can write into. */
export const digestWith = (text: string): Digest => {
  const record = (value: string) => JSON.stringify({ unit_label: text, name: text, [text]: value })
  const places = { account: text, members: [text], before: record(text), body: record(`${text} `) }
  const data = JSON.stringify({ [`of ${text}`]: text })
  return digestOf(
    [
      change(places),
      change({ ...places, id: 1302, members: [`of ${text}`], data }),
      change({ ...places, id: 1303, change: "removed", members: [], body: null }),
      change({ ...places, id: 7, collection: "api-keys", change: "added", members: [], before: null }),
    ],
    { mirror: text },
  )
}

/** Texts that a renderer, a browser or a spreadsheet might act upon. */
export const hostile: ReadonlyArray<string> = [
  "[link](https://evil.example)",
  "![image](https://evil.example/a.png)",
  "[reference]: https://evil.example",
  "<https://evil.example>",
  "https://evil.example www.evil.example a@evil.example",
  '<img src=x onerror="alert(1)">',
  "</style></title><script>alert(1)</script>",
  "--><!-- <![CDATA[ ]]>",
  "\" onmouseover='alert(1)' x=`",
  "&lt;b&gt; &amp; &#60;",
  "`code` ``two`` ```three",
  "` [link](https://evil.example) `",
  "`",
  "`` `",
  " ",
  " padded ",
  "\\",
  "\\`[link](https://evil.example)",
  "*bold* _under_ ~~through~~ **",
  "a | b\n|---|---|\n| c | d |",
  "line\n\n# heading\n- item\n\n```\ncode",
  "\r\n> quote\r\n1. one",
  "$x$ @everyone #1 :smile:",
  "=1+1",
  '=HYPERLINK("https://evil.example","x")',
  "@SUM(1+1)",
  "+cmd|' /C calc'!A0",
  "-2+3",
  "\u202Edesrever\u2066",
  "null\0 and \uD800 and \u001B[2J",
  "x".repeat(400),
]

/** The tags of a page. */
export const tagsOf = (text: string): ReadonlyArray<string> => text.match(/<[^>]*>/g) ?? []

/** The text that a page's text stands for. */
export const decoded = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
