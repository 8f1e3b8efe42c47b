/**
 * The view in which the page in front is linked to a listing. The search begins with what the page's title and address say; Enter links the
 * page to the chosen listing, and its contracts then show on the page as if its address named it.
 */
import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import type { ContractRow } from "../../../index/PageIndex.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { text } from "../../kit/Message.ts"
import { useBackground, useChange } from "../../state/Live.ts"
import type { StateProps } from "../../state/Live.ts"
import type { FrontPage } from "../../state/Tab.ts"
import { Cut, nameOf } from "../detail/Words.tsx"
import { Option, optionId, pageSize, SearchBox, searchBoxId, useSearch } from "../search/Rows.tsx"
import { suggest } from "./Suggestion.ts"
import { Button, IconButton } from "../../kit/Button.tsx"

interface Listing {
  readonly id: number
  readonly title: string
  readonly city: string | null
  readonly units: ReadonlyArray<string>
}

/** The listings of some contracts, each once. */
const listingsOf = (rows: ReadonlyArray<ContractRow>): ReadonlyArray<Listing> => {
  const listings = new Map<number, Listing>()
  for (const row of rows) {
    const { city, listingId: id, slug, title } = row
    if (id === null) continue
    const units = [...(listings.get(id)?.units ?? []), nameOf(row)]
    listings.set(id, { id, title: title?.trim() || slug || text("noListing"), city, units })
  }
  return [...listings.values()]
}

export const LinkPage = ({
  page,
  state,
  onState,
  onCards,
  onBack,
}: StateProps & {
  readonly page: FrontPage
  /** Links several listings of the page instead. */
  readonly onCards: () => void
  readonly onBack: () => void
}) => {
  const background = useBackground()
  const [typed, setTyped] = useState("")
  const [place, setPlace] = useState(0)
  const [suggested, setSuggested] = useState("")
  const [isEntered, setEntered] = useState(false)
  const linking = useChange((after) => {
    onState(after)
    onBack()
  })
  const { found, hasFailed } = useSearch(
    background.index,
    { text: typed, limit: pageSize },
    `${state.index.completedAt}`,
    null,
  )
  const listings = found === null ? [] : listingsOf(found.rows)
  const active = Math.min(place, listings.length - 1)
  const isAnswered = found?.query.text === typed
  const link = (listing: Listing | undefined): void => {
    if (listing !== undefined) linking.ask({ type: "page.linkPage", url: page.url.href, listing: listing.id })
  }
  const type = (next: string): void => {
    setTyped(next)
    setPlace(0)
    setEntered(false)
  }
  useLayoutEffect(() => {
    document.getElementById(searchBoxId)?.focus()
    void suggest(background, page)
      .catch(() => "")
      .then(setSuggested)
  }, [])
  useLayoutEffect(() => {
    if (typed === "" && suggested !== "") setTyped(suggested)
  }, [suggested])
  // What is typed over a suggestion replaces it.
  useLayoutEffect(() => {
    const box = document.getElementById(searchBoxId)
    if (typed !== "" && typed === suggested && box instanceof HTMLInputElement) box.select()
  }, [typed === suggested])
  // A listing is linked by an Enter that came before the answer, too.
  useEffect(() => {
    if (!isEntered || !isAnswered) return
    setEntered(false)
    link(listings[active])
  }, [isEntered, isAnswered])
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    if (event.key === "ArrowDown") setPlace(Math.min(active + 1, listings.length - 1))
    else if (event.key === "ArrowUp") setPlace(Math.max(0, active - 1))
    else if (event.key === "Enter") setEntered(true)
    else if (event.key === "Escape" && typed !== "") type("")
    else if (event.key === "Escape") onBack()
    else return
    event.preventDefault()
  }
  return (
    <section class="link-page" aria-labelledby="link-page">
      <div class="on-page-head">
        <IconButton icon="back" name={text("detailBack")} onPress={onBack} />
        <h2 id="link-page">{text("linkTitle")}</h2>
      </div>
      <p class="link-page-title">
        <bdi>{(page.title || page.url.href).slice(0, 160)}</bdi>
      </p>
      <SearchBox
        label={text("linkSearch")}
        typed={typed}
        active={active}
        hasRows={listings.length > 0}
        onType={type}
        onKey={onKey}
      />
      <div id="rows" class="rows" role="listbox" aria-label={text("linkSearch")} aria-busy={found === null}>
        {listings.map((listing, at) => (
          <Option
            key={listing.id}
            id={optionId(at)}
            isActive={at === active}
            as="row listing"
            onChoose={() => link(listing)}
          >
            <p class="listing-head">
              <Cut of={listing.title} as="row-name" />
              <span class="row-id" dir="ltr">
                #{listing.id}
              </span>
            </p>
            <p class="link-page-units">
              <Cut of={[listing.city ?? "", ...new Set(listing.units)].filter(Boolean).join(" · ")} as="" />
            </p>
          </Option>
        ))}
      </div>
      <ErrorNotice error={linking.error} />
      <div class="lookup-end">
        <p role="status">
          {hasFailed ? text("searchFailed") : isAnswered && listings.length === 0 ? text("linkNone") : ""}
        </p>
        <Button kinds="small quiet" onClick={onCards}>
          {text("linkCards")}
        </Button>
        <p class="legend">
          <kbd>↵</kbd>
          {text("linkDo")}
        </p>
      </div>
    </section>
  )
}
