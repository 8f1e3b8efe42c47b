/**
 * The subject that the popup was opened for: the page in front, or the contract, listing, search or list of changes that its own query names. An
 * address never leaves the browser: it is compared with the saved listings.
 */
import { useEffect, useState } from "preact/hooks"
import type { ContractRow } from "../../../index/PageIndex.ts"
import type { Background } from "../../state/Background.ts"
import { useRead } from "../../state/Live.ts"
import * as Tab from "../../state/Tab.ts"

export type Subject =
  | { readonly _tag: "Page" }
  | { readonly _tag: "Contract"; readonly id: number }
  | { readonly _tag: "Listing"; readonly reference: string }
  | { readonly _tag: "Search"; readonly text: string }
  | { readonly _tag: "Changes" }

/** Reads the popup's own query. */
export const of = (query: string): Subject => {
  const asked = new URLSearchParams(query)
  if (asked.has("changes")) return { _tag: "Changes" }
  const id = Number(asked.get("contract") ?? "")
  if (Number.isSafeInteger(id) && id > 0) return { _tag: "Contract", id }
  const reference = asked.get("listing") ?? ""
  if (reference !== "") return { _tag: "Listing", reference }
  const text = asked.get("find") ?? ""
  return text === "" ? { _tag: "Page" } : { _tag: "Search", text }
}

/** What the popup shows for a link: its listing, or a search for its last part. */
export const ofLink = async (index: Background["index"], address: string): Promise<Subject> => {
  const { pageOfLink } = await import("../../../browser-ui/Menus.ts")
  const page = await pageOfLink(index, address)
  return of(page.slice(page.indexOf("?")))
}

export interface Here {
  /** Whether it is the page in front rather than a listing that the popup was opened for. */
  readonly isPage: boolean
  readonly title: string | null
  readonly rows: ReadonlyArray<ContractRow>
  /** Total number, including those without a row. */
  readonly total: number
}

/** Longest address or reference that is accepted, in characters. */
const longest = 10_000

/**
 * The page in front of the popup, and the contracts of the listing that it shows; each is null if there is none. Looked up again when the `revision`
 * changes.
 */
export const useSubject = (
  background: Background,
  subject: Subject,
  revision: string,
): { readonly page: Tab.FrontPage | null; readonly here: Here | null } => {
  const [page, setPage] = useState<Tab.FrontPage | null>(null)
  useEffect(() => {
    if (subject._tag === "Page") return Tab.follow(setPage)
  }, [subject])
  const isPage = subject._tag === "Page"
  const reference = subject._tag === "Listing" ? subject.reference : null
  const url = page?.url.href ?? ""
  const here = useRead<Here | null>(async () => {
    const subject = reference ?? url
    if (subject === "" || subject.length > longest) return null
    const { index } = background
    const found = await (reference === null ? index.listingAt(url) : index.listing(reference))
    return found === null ? null : { ...found, isPage }
  }, [background, url, reference, isPage, revision])
  return { page, here: here === "failed" ? null : here }
}
