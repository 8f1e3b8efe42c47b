/**
 * The button that opens the listings of the page in front, with their number. If there are none on a site that should have badges, the button for
 * choosing a listing's link.
 */
import { plural, text } from "../../kit/Message.ts"
import { Icon } from "../../kit/Icon.tsx"
import * as Teaching from "../../state/Teaching.ts"
import { useCards } from "./FrontTab.ts"

export const Entry = ({
  site,
  onOpen,
}: {
  /** The site in front, if a page without badges needs advice; otherwise null. */
  readonly site: string | null
  readonly onOpen: () => void
}) => {
  const cards = useCards()
  if (cards === null || (cards.total === 0 && site === null)) return null
  return cards.total === 0 && site !== null ? (
    <button type="button" class="on-page-entry" onClick={() => void Teaching.begin(site)}>
      <Icon name="info" />
      <span>
        {text("teachAsk")} <u>{text("teachTitle")}</u>
      </span>
    </button>
  ) : (
    <button type="button" class="on-page-entry" onClick={onOpen}>
      <Icon name="table" />
      {plural("onPageListings", cards.total)}
    </button>
  )
}
