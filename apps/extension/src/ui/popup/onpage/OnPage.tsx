/**
 * The view "On this page": the listings that the cards of the page in front lead to, with or without contracts. The list has the focus; arrow keys
 * choose a listing, and Enter shows its card in the page. This only scrolls the page and tells it nothing else.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { PageCards } from "../../../messages/TabMessage.ts"
import { Icon } from "../../kit/Icon.tsx"
import { number, plural, text } from "../../kit/Message.ts"
import { useBackground } from "../../state/Live.ts"
import * as Picked from "../../export/Form.ts"
import * as Tab from "../../state/Tab.ts"
import type { Background } from "../../state/Background.ts"
import { copy } from "../detail/Fields.tsx"
import * as FrontTab from "./FrontTab.ts"
import { chosenOf, everything, load, orders, sorted, updatedAt } from "./Listings.ts"
import type { Listing, Order, Choice } from "./Listings.ts"
import { cell } from "../detail/Record.ts"
import { Filters } from "../search/Filters.tsx"
import type { Filter } from "../search/Filters.tsx"
import * as Age from "../../kit/Age.ts"
import { Cut, Moment, nameOf, StatusPill } from "../detail/Words.tsx"
import { Option } from "../search/Rows.tsx"
import { Button, IconButton } from "../../kit/Button.tsx"

/** Maximum number of contracts shown for one listing; a filter or the search shows others. */
const mostShown = 3

/** The id of the option's element, which the list refers to. */
const optionId = (listing: number): string => `listing-${listing}`

/** The number of contracts; empty for a single one, which is visible. */
const countOf = ({ rows, total }: Listing): string => {
  if (total === 0) return text("onPageNone")
  if (rows.length < total) return text("onPageOf", number(rows.length), number(total))
  return total === 1 ? "" : plural("contracts", total)
}

/** A listing of the page as an option: its title, its first contracts, and their number if not all are shown. */
const ListingOption = ({
  listing,
  isActive,
  now,
  onShow,
}: {
  readonly listing: Listing
  readonly isActive: boolean
  readonly now: number
  readonly onShow: () => void
}) => {
  const { id, rows, title, total } = listing
  const shown = rows.slice(0, mostShown)
  const latest = updatedAt(listing)
  return (
    <Option id={optionId(id)} isActive={isActive} as="row listing" onChoose={onShow}>
      <p class="listing-head">
        <Cut of={title} as="row-name" />
        <span class="listing-count">
          {countOf(listing)}
          {total > 1 ? " · " : null}
          {latest === "" ? null : <Moment of={latest}>{Age.age(latest, now, "narrow")}</Moment>}
        </span>
      </p>
      {shown.map((row) => (
        <p key={row.id} class="listing-contract">
          <Cut of={nameOf(row)} as="row-title" />
          <Cut of={row.kind} as="row-kind" to={40} />
          <StatusPill status={row.status} />
          <span class="row-id" dir="ltr">
            #{row.id}
          </span>
        </p>
      ))}
      {rows.length > shown.length ? (
        <p class="listing-more">{text("listingMore", number(rows.length - shown.length))}</p>
      ) : null}
    </Option>
  )
}

/** A filter as search terms, so that the values of one field are counted within the choice of the other. */
const termsOf = ({ kind, status }: Filter): string =>
  Object.entries({ status, kind })
    .map(([name, value]) => (value === null ? "" : `${name}:"${value.replaceAll('"', "")}"`))
    .join(" ")

/** The statuses and kinds of the contracts on a page with their counts, and the number of listings without contracts; each can be chosen. */
const Choices = ({
  listings,
  chosen,
  onChoose,
}: {
  readonly listings: ReadonlyArray<Listing>
  readonly chosen: Choice
  /** Receives the new choice. Pressing a chosen value again removes it. */
  readonly onChoose: (next: Choice) => void
}) => {
  const without = listings.filter(({ total }) => total === 0).length
  return (
    <div class="filters">
      <Filters
        asked={termsOf(chosen)}
        groups={listings.flatMap(({ rows }) => rows.map(({ kind, status }) => ({ count: 1, kind, status })))}
        chosen={chosen}
        onChoose={(name, value) =>
          onChoose({ ...chosen, isWithout: false, [name]: chosen[name] === value ? null : value })
        }
      />
      {without === 0 ? null : (
        <div class="filter">
          <button
            type="button"
            class="filter-value"
            aria-pressed={chosen.isWithout}
            onClick={() => onChoose({ ...everything, isWithout: !chosen.isWithout })}
          >
            {text("onPageNone")} {number(without)}
          </button>
        </div>
      )}
    </div>
  )
}

/** The listings as a table for copying, guarded like every copied row: one line for each contract, and one for each listing without contracts. */
const toTable = (listings: ReadonlyArray<Listing>): string => {
  const headings = [
    text("fieldTitle"),
    text("fieldCity"),
    text("fieldId"),
    text("fieldUnitLabel"),
    text("fieldKind"),
    text("fieldStatus"),
    text("fieldUpdatedAt"),
  ]
  const lines = listings.flatMap(({ city, rows, title }) =>
    rows.length === 0
      ? [[title, city, "", "", "", "", ""]]
      : rows.map((row) => [title, city, String(row.id), row.unitLabel, row.kind, row.status, row.updatedAt]),
  )
  return [headings, ...lines].map((line) => line.map(cell).join("\t")).join("\n")
}

/** Number of listings that Page Up and Page Down move by. */
const leap = 5

const orderNames = { page: "onPageOrder", status: "fieldStatus", updated: "fieldUpdatedAt" } as const

/** The listings of the page; null until they are known. While they are loaded again, the previous ones are kept. */
const useListings = (
  background: Background,
  cards: PageCards | null,
  origin: string,
  revision: string,
): { readonly listings: ReadonlyArray<Listing> | null; readonly hasFailed: boolean } => {
  const [listings, setListings] = useState<ReadonlyArray<Listing> | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (cards === null) return
    let isWanted = true
    void load(background, cards.cards, origin)
      .catch(() => null)
      .then((loaded) => {
        if (!isWanted) return
        setFailed(loaded === null)
        if (loaded !== null) setListings(loaded)
      })
    return () => {
      isWanted = false
    }
  }, [background, cards, origin, revision])
  return { listings, hasFailed }
}

export const OnPage = ({
  page,
  now,
  revision,
  onBack,
}: {
  readonly page: Tab.FrontPage | null
  readonly now: number
  /** Changes whenever the index may have changed. */
  readonly revision: string
  readonly onBack: () => void
}) => {
  const cards = FrontTab.useCards()
  const background = useBackground()
  const { hasFailed, listings } = useListings(background, cards, page?.url.origin ?? "", revision)
  const [choice, setChoice] = useState(everything)
  const [order, setOrder] = useState<Order>("page")
  const [active, setActive] = useState<number | null>(null)
  const [said, setSaid] = useState("")
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => list.current?.focus(), [])

  const all = listings ?? []
  const shown = sorted(chosenOf(all, choice), order)
  const place = Math.max(
    0,
    shown.findIndex(({ id }) => id === active),
  )
  const isFiltered = choice !== everything
  const ids = shown.flatMap(({ rows }) => rows.map(({ id }) => id))
  const exportThese = async (): Promise<void> => {
    try {
      const { account } = await background.ask({ type: "page.state" })
      await Tab.open(Picked.pageOf(account, ids))
    } catch {
      setSaid(text("listingFailed"))
    }
  }

  const choose = (next: typeof choice): void => {
    setSaid("")
    setChoice(next.status === null && next.kind === null && !next.isWithout ? everything : next)
  }
  const show = (listing: Listing | undefined): void => {
    if (listing === undefined) return
    setActive(listing.id)
    setSaid("")
    void FrontTab.show(listing.id).then((isSeen) => setSaid(isSeen ? "" : text("onPageGone")))
  }
  const onKey = (event: KeyboardEvent): void => {
    const { key } = event
    const moves: { readonly [key: string]: number } = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      PageDown: place + leap,
      PageUp: place - leap,
      Home: 0,
      End: shown.length - 1,
    }
    if (Object.hasOwn(moves, key)) {
      const next = Math.min(Math.max(0, moves[key] ?? 0), shown.length - 1)
      setActive(shown[next]?.id ?? null)
    } else if (key === "Enter" || key === " ") show(shown[place])
    else return
    event.preventDefault()
  }
  const count = cards === null || listings === null ? null : shownOf(shown.length, all.length, cards)

  return (
    <section
      class="on-page"
      aria-labelledby="on-page"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        if (isFiltered) choose(everything)
        else onBack()
      }}
    >
      <div class="on-page-head">
        <IconButton icon="back" name={text("detailBack")} onPress={onBack} />
        <h2 id="on-page">{text("groupHere")}</h2>
        <label>
          <span class="unseen">{text("exportOrder")}</span>
          <select
            value={order}
            onChange={({ currentTarget }) => setOrder(orders[currentTarget.selectedIndex] ?? "page")}
          >
            {orders.map((name) => (
              <option key={name} value={name} selected={name === order}>
                {text(orderNames[name])}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Choices listings={all} chosen={choice} onChoose={choose} />
      <div
        ref={list}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-labelledby="on-page"
        aria-busy={listings === null && !hasFailed}
        {...(shown[place] === undefined ? {} : { "aria-activedescendant": optionId(shown[place].id) })}
        onKeyDown={onKey}
      >
        {shown.map((listing, at) => (
          <ListingOption
            key={listing.id}
            listing={listing}
            isActive={at === place}
            now={now}
            onShow={() => show(listing)}
          />
        ))}
      </div>
      <div class="lookup-end">
        <p role="status">{hasFailed ? text("listingFailed") : said || count}</p>
        {shown.length === 0 ? null : (
          <>
            <Button kinds="small quiet" onClick={() => copy(toTable(shown), text("copiedRow"), setSaid)}>
              <Icon name="copy" />
              {text("onPageCopy")}
            </Button>
            {ids.length === 0 ? null : (
              <Button kinds="small quiet" onClick={() => void exportThese()}>
                <Icon name="table" />
                {text("onPageExport")}
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  )
}

/** How many of the listings are shown. Of a page with very many, only the first are known. */
const shownOf = (shown: number, known: number, { cards, total }: PageCards): string => {
  const all = known + total - cards.length
  return shown === all ? plural("foundAll", all) : text("foundOf", number(shown), number(all))
}
