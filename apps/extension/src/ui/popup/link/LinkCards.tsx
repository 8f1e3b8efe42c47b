/**
 * The view in which several listings of the page in front are linked in one go: each card whose words fit one of the user's listings, with that
 * listing. Nothing is linked before the user presses the button, and all of it is undone by one press.
 */
import { useState } from "preact/hooks"
import { linksOf } from "../../../messages/AppState.ts"
import type { AppState } from "../../../messages/AppState.ts"
import { isUserError } from "../../../messages/PageMessage.ts"
import type { UserError } from "../../../messages/PageMessage.ts"
import { linkableAddress } from "../../../address/Reference.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { plural, text } from "../../kit/Message.ts"
import { useAction, useBackground, useRead } from "../../state/Live.ts"
import type { StateProps } from "../../state/Live.ts"
import type { FrontPage } from "../../state/Tab.ts"
import { Cut } from "../detail/Words.tsx"
import * as FrontTab from "../onpage/FrontTab.ts"
import { pairs } from "./Suggestion.ts"
import { Button, IconButton } from "../../kit/Button.tsx"

export const LinkCards = ({
  page,
  state,
  onState,
  onBack,
}: StateProps & {
  readonly page: FrontPage
  readonly onBack: () => void
}) => {
  const background = useBackground()
  /** Addresses that the user does not want to be linked. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  /** Addresses that were linked by the button. */
  const [linked, setLinked] = useState<ReadonlyArray<string>>([])
  const acting = useAction<AppState>(onState)
  const answer = useRead(async () => {
    const links = linksOf(state)
    const cards = (await FrontTab.linkedCards()).flatMap(({ address, ...card }) => {
      const url = new URL(address, page.url)
      const linkable = linkableAddress(url)
      const isOther = linkable !== null && linkable !== linkableAddress(page.url)
      return isOther && !Object.hasOwn(links, linkable) ? [{ ...card, url }] : []
    })
    return pairs(background, cards)
  }, [page.url.href])
  const found = answer === "failed" ? [] : answer

  const wanted = (found ?? []).filter(({ url }) => !left.has(url.href))
  /** Links pages one after the other, and keeps those that are linked if one cannot be. */
  const link = (pages: ReadonlyArray<readonly [url: string, listing: number | null]>): void =>
    acting.run(async () => {
      let after: AppState | UserError = state
      for (const [url, listing] of pages) {
        after = await background.ask({ type: "page.linkPage", url, listing })
        if (isUserError(after)) break
        setLinked((before) => (listing === null ? before.filter((one) => one !== url) : [...before, url]))
      }
      return after
    })
  return (
    <section
      class="link-page"
      aria-labelledby="link-cards"
      onKeyDown={({ key }) => key === "Escape" && onBack()}
    >
      <div class="on-page-head">
        <IconButton icon="back" name={text("detailBack")} onPress={onBack} />
        <h2 id="link-cards">{text("linkCards")}</h2>
      </div>
      <ul class="rows link-cards" aria-busy={found === null}>
        {found?.map(({ listing, title, url }) => (
          <li key={url.href}>
            <label class="link-card">
              <input
                type="checkbox"
                checked={!left.has(url.href)}
                disabled={acting.isBusy || linked.length > 0}
                onChange={({ currentTarget }) => {
                  const next = new Set(left)
                  if (currentTarget.checked) next.delete(url.href)
                  else next.add(url.href)
                  setLeft(next)
                }}
              />
              <span>
                <Cut of={title || url.pathname} as="row-name" />
                <Cut of={[listing.title, listing.city].filter(Boolean).join(" · ")} as="link-page-units" />
              </span>
            </label>
          </li>
        ))}
      </ul>
      <ErrorNotice error={acting.error} />
      <div class="lookup-end">
        <p role="status">
          {found === null
            ? text("loading")
            : found.length === 0
              ? text("linkCardsNone")
              : linked.length > 0
                ? plural("linkedPages", linked.length)
                : ""}
        </p>
        {linked.length > 0 ? (
          <Button
            kinds="small quiet"
            disabled={acting.isBusy}
            onClick={() => link(linked.map((url) => [url, null]))}
          >
            {text("linkCardsUndo")}
          </Button>
        ) : found === null || found.length === 0 ? null : (
          <Button
            kinds="small main"
            disabled={acting.isBusy || wanted.length === 0}
            onClick={() => link(wanted.map(({ listing, url }) => [url.href, listing.id]))}
          >
            {plural("linkCardsDo", wanted.length)}
          </Button>
        )}
      </div>
    </section>
  )
}
