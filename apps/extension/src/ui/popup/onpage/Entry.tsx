/** The way to the listings of the page in front, with how many there are; nothing where there are none. */
import { plural } from "../../kit/Message.ts"
import { Icon } from "../../kit/Icon.tsx"
import { useCards } from "./FrontTab.ts"

export const Entry = ({ onOpen }: { readonly onOpen: () => void }) => {
  const cards = useCards()
  if (cards === null || cards.total === 0) return null
  return (
    <button type="button" class="on-page-entry" onClick={onOpen}>
      <Icon name="table" />
      {plural("onPageListings", cards.total)}
    </button>
  )
}
