/**
 * A contract's public page as a column, for owners who know where their listings are shown. The specification does not say where, so the reader
 * supplies the address: a pattern such as `https://site.example/{slug}`.
 */
import type { Contract } from "@deedkit/core"
import type { Column } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"

const place = "{slug}"

/** Characters that no address holds, and braces, which would be a misspelt placeholder. */
const unsafe = /[\s"<>\\{}]/

/** The address with a slug in it; null if the slug would change more than its own part of the address. */
const fill = (pattern: string, slug: string): string | null =>
  slug === "" || slug === "." || slug === ".."
    ? null
    : pattern.replaceAll(place, () => encodeURIComponent(slug.toWellFormed()))

const parse = (text: string | null): URL | null => (text === null ? null : URL.parse(text))

/** Whether a pattern is an `https:` address without credentials whose path or query holds `{slug}`. */
const isPattern = (pattern: string): boolean => {
  if (!pattern.includes(place) || unsafe.test(pattern.replaceAll(place, ""))) return false
  const [one, other] = [parse(fill(pattern, "a")), parse(fill(pattern, "b"))]
  return (
    one !== null &&
    one.protocol === "https:" &&
    one.username === "" &&
    one.password === "" &&
    one.origin === other?.origin &&
    one.pathname + one.search !== other.pathname + other.search
  )
}

/** The column as in a file, but without addresses. */
const listingLink: Column<Contract.Contract> = {
  name: "link",
  label: "Public page",
  kind: "link",
  isComputed: true,
  get: () => null,
}

const linkColumn = (pattern: string): Column<Contract.Contract> => ({
  ...listingLink,
  get: ({ listing }) => (typeof listing?.slug === "string" ? fill(pattern, listing.slug) : null),
})

/**
 * The table of contracts with the column `link`, after those that are printed: the pattern with the percent-encoded slug of the listing in place of
 * `{slug}`, and no address for a contract without a slug. Null for a pattern that is not an `https:` address with `{slug}` in its path or query.
 */
export const withListingLink = (
  table: Table<Contract.Contract>,
  pattern: string,
): Table<Contract.Contract> | null => {
  if (!isPattern(pattern)) return null
  const { columns, printed = columns.length } = table
  return { ...table, columns: columns.toSpliced(printed, 0, linkColumn(pattern)) }
}
