/**
 * The way to the listings of the page in front, with how many there are. Where there are none on a site that should have badges, the way to
 * choose a listing's link.
 */
import { plural, text } from "../../kit/Message.ts"
import { Icon } from "../../kit/Icon.tsx"
import * as Teaching from "../../state/Teaching.ts"
import { useCards } from "./FrontTab.ts"

export const Entry = ({
  site,
  onOpen,
}: {
  /** The site in front, where a page without badges is worth an advice; else null. */
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
