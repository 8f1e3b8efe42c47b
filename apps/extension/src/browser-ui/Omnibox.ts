/**
 * Looks contracts up in the address bar, after the keyword: rows of the index while the user types, the contract itself on Enter. Reads the
 * saved contracts as the popup does, and never the service.
 */
import type { PageIndex } from "../index/PageIndex.ts"
import type { ContractRow } from "../index/PageIndex.ts"
import * as Menus from "./Menus.ts"
import type { Place, Shell } from "./Shell.ts"

export interface Suggestion {
  /** The text in the address bar when the suggestion is chosen. */
  readonly content: string
  readonly description: string
}

/** Most rows that address bars show. */
const mostRows = 6

/** Most characters of one text of a row: an address bar has one line. */
const mostCharacters = 80

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

/** A text escaped for XML. Characters that XML cannot hold are left out, because one of them would cost the whole row. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => entities[found]!).replace(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, "")

/** One line, cut between characters, without direction marks, which would reverse the rest of the row. */
const line = (text: string): string =>
  Array.from(text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ").trim())
    .slice(0, mostCharacters)
    .join("")

const describe = (row: ContractRow, isXml: boolean): string => {
  const write = (text: string): string => (isXml ? escaped(line(text)) : line(text))
  const name = write(row.title ?? row.unitLabel)
  const facts = [row.title === null ? "" : row.unitLabel, row.city ?? "", row.kind, row.status]
    .map(write)
    .filter((fact) => fact !== "")
    .join(" · ")
  return isXml ? `#${row.id} <match>${name}</match> <dim>${facts}</dim>` : `#${row.id} ${name} — ${facts}`
}

type Searched = Pick<PageIndex, "search">

const find = async (index: Searched, text: string, limit: number): Promise<ReadonlyArray<ContractRow>> =>
  (await index.search({ text: text.slice(0, 200), counts: false, limit })).rows

/** Rows for what was typed. */
export const suggest = async (
  index: Searched,
  { readsXml }: Pick<Shell, "readsXml">,
  typed: string,
): Promise<ReadonlyArray<Suggestion>> => {
  if (typed.trim() === "") return []
  const rows = await find(index, typed, mostRows)
  return rows.map((row) => ({ content: `#${row.id}`, description: describe(row, readsXml) }))
}

/** A description of what Enter does without a chosen suggestion. */
export const hint = ({ readsXml, text }: Pick<Shell, "readsXml" | "text">): string => {
  const words = text("omniboxHint")
  return readsXml ? escaped(words) : words
}

const places: { readonly [disposition: string]: Place } = {
  currentTab: "this-tab",
  newBackgroundTab: "hidden-tab",
}

/** Opens the contract that was chosen or named by its number, the only one that matches, or all that match. */
export const enter = async (
  index: Searched,
  { open }: Pick<Shell, "open">,
  entered: string,
  disposition: string,
): Promise<void> => {
  const place = places[disposition] ?? "tab"
  const chosen = /^\s*#(\d{1,15})\s*$/.exec(entered)?.[1]
  if (chosen !== undefined && Number(chosen) > 0) return open(Menus.ofContract(Number(chosen)), place)
  const rows = entered.trim() === "" ? [] : await find(index, entered, 2)
  const [only] = rows
  return open(
    rows.length === 1 && only !== undefined ? Menus.ofContract(only.id) : Menus.ofSearch(entered),
    place,
  )
}
