/** From a contract to the pages of its listing, and to the listing's other contracts. */
import { isPattern } from "../../../address/Reference.ts"
import { linksOf } from "../../../messages/AppState.ts"
import type { AppState } from "../../../messages/AppState.ts"
import type { ContractRow } from "../../../index/PageIndex.ts"
import { Icon } from "../../kit/Icon.tsx"
import { number, text } from "../../kit/Message.ts"
import { useBackground, useRead } from "../../state/Live.ts"
import { Cut, nameOf, StatusPill } from "./Words.tsx"

/** Most contracts and most pages that are shown. */
const mostShown = 20
const mostPages = 3

/**
 * The addresses of a listing's pages: those that were linked to it by hand, and those that a site's patterns give with its slug, its id or the contract's
 * number in their place. A pattern with a star gives none.
 */
const pagesOf = (state: AppState, { id, listingId, slug }: ContractRow): ReadonlyArray<string> => {
  const links = linksOf(state)
  const linked = Object.keys(links).filter((address) => links[address] === listingId)
  const values = { slug, id: listingId, contract: id }
  const reversed = state.sites.flatMap(({ origin, patterns }) =>
    patterns.flatMap((pattern) => {
      const path = pattern.replace(/\/\*\*$/, "")
      const name = /:(slug|id|contract)(?![a-z])/.exec(path)?.[1] as keyof typeof values | undefined
      const value = name === undefined ? null : values[name]
      if (value === null || /^!|\*/.test(path) || !isPattern(pattern)) return []
      return `${origin}${path.startsWith("?") ? "/" : ""}${path.replace(`:${name}`, encodeURIComponent(value))}`
    }),
  )
  return [...new Set([...linked, ...reversed])].slice(0, mostPages)
}

export const Siblings = ({
  row,
  state,
  onOpen,
}: {
  readonly row: ContractRow
  readonly state: AppState
  readonly onOpen: (id: number) => void
}) => {
  const background = useBackground()
  const { id, listingId } = row
  const answer = useRead(
    async () => (listingId === null ? null : background.index.listing(String(listingId))),
    [background, listingId],
  )
  const listing = answer === "failed" ? null : answer
  const pages = pagesOf(state, row)
  const others = (listing?.rows ?? []).filter((other) => other.id !== id && other.listingId === listingId)
  const shown = others.slice(0, mostShown)
  const left = (listing?.total ?? 0) - 1 - shown.length
  return (
    <>
      {pages.map((page) => (
        <p key={page} class="listing-page">
          <a href={page} target="_blank" rel="noreferrer" title={page}>
            {text("detailListing", new URL(page).host)}
            <Icon name="out" />
          </a>
        </p>
      ))}
      {shown.length === 0 ? null : (
        <section class="fields-part" aria-labelledby="siblings">
          <h3 id="siblings" class="group-title">
            {text("detailSiblings")}
          </h3>
          <ul class="siblings">
            {shown.map((other) => (
              <li key={other.id}>
                <button type="button" class="listing-contract" onClick={() => onOpen(other.id)}>
                  <Cut of={nameOf(other)} as="row-title" />
                  <Cut of={other.kind} as="row-kind" to={40} />
                  <StatusPill status={other.status} />
                  <span class="row-id" dir="ltr">
                    #{other.id}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {left > 0 ? <p class="listing-more">{text("listingMore", number(left))}</p> : null}
        </section>
      )}
    </>
  )
}
