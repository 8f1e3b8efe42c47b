/** Changes of a mirror for people: lines for a terminal, and a Markdown document. Pure. Values are those of records: texts of other people. */
import { Json } from "@deedkit/core"
import type { Change, ListChanges } from "@deedkit/sync"
import { valueAt } from "@deedkit/sync"
import { nounsOf } from "../../terminal/ClosingLine.ts"
import { count } from "../../terminal/Figures.ts"
import { clean, truncate } from "../../terminal/TerminalText.ts"

const longest = 60

/** The value of a member of a record or, where the record has none, of its payload. */
const value = (body: string | null, data: string | null, path: string): string => {
  const own = body === null ? undefined : valueAt(Json.parse(body), path)
  const found = own === undefined && data !== null ? valueAt(Json.parse(data), path) : own
  if (found === undefined) return "nothing"
  return truncate(clean(typeof found === "string" && found !== "" ? found : Json.stringify(found)), longest)
}

/** `updated_at` changes with every other member, and says nothing more. */
const told = ({ members }: Change): ReadonlyArray<string> => {
  const others = members.filter((name) => name !== "updated_at")
  return others.length === 0 ? members : others
}

const label = ({ before, body, collection }: Change): string => {
  const record = Json.parse(body ?? before ?? "{}")
  const text = valueAt(record, collection === "contracts" ? "unit_label" : "name")
  return typeof text === "string" && text !== "" ? ` (${truncate(clean(text), longest)})` : ""
}

const words = { added: "added", changed: "changed", removed: "removed", returned: "returned" } as const

/** `contract 1204 (3B) changed: status active -> ended`. */
const sentence = (change: Change): string => {
  const { before, body, collection, data, dataBefore } = change
  const differences = told(change).map(
    (path) => `${clean(path)} ${value(before, dataBefore, path)} -> ${value(body, data, path)}`,
  )
  const what = `${nounsOf(collection).one} ${change.id}${label(change)} ${words[change.change]}`
  return differences.length === 0 || change.change === "returned"
    ? what
    : `${what}: ${differences.join("; ")}`
}

const firstRead = ({ collection, firstRead: records }: ListChanges): string => {
  const { many, one } = nounsOf(collection)
  return `${count(records, one, many)} read for the first time`
}

/** Changes by account: a line for each, indented below the name of the account. */
export const lines = (lists: ReadonlyArray<ListChanges>): ReadonlyArray<string> =>
  lists.flatMap((list, at) => [
    ...(lists[at - 1]?.account === list.account ? [] : [list.account]),
    ...(list.firstRead === 0 ? [] : [`  ${firstRead(list)}`]),
    ...list.changes.map((change) => `  ${sentence(change)}`),
  ])

/** Text of other people as Markdown that shows it, and takes nothing in it for markup. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")

/** `3 added, 1 changed, 2 removed`. */
export const total = (lists: ReadonlyArray<ListChanges>): string => {
  const all = lists.flatMap(({ changes }) => changes)
  const kinds = (["added", "changed", "removed", "returned"] as const).flatMap((kind) => {
    const number = all.filter(({ change }) => change === kind).length
    return number === 0 ? [] : [`${count(number, "", "").trim()} ${words[kind]}`]
  })
  return kinds.length === 0 ? "No changes" : kinds.join(", ")
}

/** A Markdown document with a heading for each account. */
export const markdown = (lists: ReadonlyArray<ListChanges>, since: string): ReadonlyArray<string> => [
  `# Changes since ${since}`,
  "",
  `${total(lists)}.`,
  ...lists.flatMap((list, at) => [
    ...(lists[at - 1]?.account === list.account ? [] : ["", `## ${escaped(list.account)}`, ""]),
    ...(list.firstRead === 0 ? [] : [`- ${firstRead(list)}`]),
    ...list.changes.map((change) => `- ${escaped(sentence(change))}`),
  ]),
]
