/**
 * A chosen link: the listing that it already leads to, if any, and the patterns that can be derived from it, each with what it would find on the
 * page. A pattern is added only on a click.
 */
import { useEffect, useState } from "preact/hooks"
import type { AppState, Site } from "../../messages/AppState.ts"
import type { ListingAnswer } from "../../messages/PageMessage.ts"
import type { Choice } from "../../page/choose/Choice.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Icon } from "../kit/Icon.tsx"
import { number, plural, text } from "../kit/Message.ts"
import * as Derive from "../options/sites/Derive.ts"
import { mostPatterns } from "../../address/LinkPattern.ts"
import { useAction, useBackground, useChange } from "../state/Live.ts"
import * as Preview from "./Preview.ts"
import { Button } from "../kit/Button.tsx"

/** Maximum number of links shown for a pattern. */
const mostShown = 50
/** Longest title and longest address, in characters; there is no room for more. */
const longestTitle = 160
const longestShown = 300

interface Offer {
  readonly proposal: Derive.Proposal
  readonly found: ReadonlyArray<Preview.Found>
}

interface Learnt {
  /** The listing that the link leads to with the existing patterns. */
  readonly listing: ListingAnswer | null
  /** Number of links of the page that lead to contracts with these patterns. */
  readonly known: number
  readonly offers: ReadonlyArray<Offer>
}

const Listing = ({ listing }: { readonly listing: ListingAnswer | null }) =>
  listing === null ? (
    <span class="quiet">{text("teachNoContract")}</span>
  ) : (
    <span>
      <bdi class="tester-title">{listing.title?.slice(0, longestTitle) ?? text("noListing")}</bdi>
      {" · "}
      {plural("contracts", listing.total)}
    </span>
  )

const FoundLinks = ({ found }: { readonly found: ReadonlyArray<Preview.Found> }) => (
  <section class="teach-found">
    <h2>{text("teachFound")}</h2>
    <ul>
      {found.slice(0, mostShown).map(({ address, listing }) => (
        <li key={address}>
          <code dir="ltr">{address.slice(0, longestShown)}</code> <Listing listing={listing} />
        </li>
      ))}
    </ul>
    {found.length > mostShown ? (
      <p class="quiet">{text("teachMore", number(found.length - mostShown))}</p>
    ) : null}
  </section>
)

export const Chosen = ({
  site,
  choice: { chosen, links },
  onState,
  onAgain,
  onShow,
}: {
  readonly site: Site
  readonly choice: Choice
  readonly onState: (state: AppState) => void
  readonly onAgain: () => void
  /** Shows the page with the link. */
  readonly onShow: () => void
}) => {
  const background = useBackground()
  const { origin, patterns } = site
  const { host } = new URL(origin)
  const [learnt, setLearnt] = useState<Learnt | null>(null)
  const [picked, setPicked] = useState(0)
  const [added, setAdded] = useState<string | null>(null)
  const learning = useAction(setLearnt)
  const adding = useChange((after) => {
    setAdded(offer?.proposal.pattern ?? null)
    onState(after)
  })
  const learn = async (): Promise<Learnt> => {
    const lookup = Preview.once(background.index.listing)
    const [own] = await Preview.find(patterns, [chosen], origin, lookup)
    const now = await Preview.find(patterns, links, origin, lookup)
    const proposals = await Derive.propose(chosen, origin + chosen, lookup, links)
    const unsorted = await Promise.all(
      proposals.map(async (proposal) => ({
        proposal,
        found: await Preview.findBy(proposal.pattern, patterns, links, origin, lookup),
      })),
    )
    const offers = unsorted.toSorted(
      (one, other) => Preview.knownOf(other.found) - Preview.knownOf(one.found),
    )
    return { listing: own?.listing ?? null, known: Preview.knownOf(now), offers }
  }
  useEffect(() => learning.run(learn), [chosen])

  const offer = learnt?.offers[picked]
  const problem =
    offer === undefined
      ? null
      : added === null && patterns.includes(offer.proposal.pattern)
        ? text("patternTwice")
        : patterns.length >= mostPatterns
          ? text("patternsFull", String(mostPatterns))
          : null
  return (
    <section class="section">
      <p>
        {text("teachChosen")} <code dir="ltr">{chosen.slice(0, longestShown)}</code>
      </p>
      <ErrorNotice error={learning.error} />
      {learnt === null ? (
        <p class="quiet" role="status">
          {learning.isBusy ? text("loading") : ""}
        </p>
      ) : (
        <>
          <div role="status">
            {added !== null ? null : learnt.listing === null ? (
              <p>{text("teachUnknown")}</p>
            ) : (
              <p class="tester-verdict" data-outcome="ok">
                <Icon name="ok" />
                <span>
                  {text("teachKnown")} <Listing listing={learnt.listing} />
                </span>
              </p>
            )}
            {added !== null ? null : (
              <p class="quiet">{text("teachNow", number(learnt.known), number(links.length))}</p>
            )}
            {learnt.offers.length === 0 ? <p>{text("teachNothing")}</p> : null}
          </div>
          {learnt.offers.length === 0 ? null : (
            <fieldset class="choice" disabled={adding.isBusy || added !== null}>
              <legend class="entry-name">{text("teachPatterns")}</legend>
              {learnt.offers.map(({ found, proposal: { listing, pattern } }, at) => (
                <label key={pattern} class="choice-option">
                  <input type="radio" name="pattern" checked={at === picked} onChange={() => setPicked(at)} />
                  <span class="choice-words">
                    <span class="choice-name">
                      <code dir="ltr">{pattern}</code> <Listing listing={listing} />
                    </span>
                    <span class="choice-meaning">
                      {text("teachFinds", number(found.length), number(Preview.knownOf(found)))}
                    </span>
                  </span>
                </label>
              ))}
            </fieldset>
          )}
          {offer === undefined ? null : <FoundLinks found={offer.found} />}
        </>
      )}
      <ErrorNotice error={adding.error} />
      <div role="status">
        {added === null ? null : (
          <p class="tester-verdict" data-outcome="ok">
            <Icon name="ok" />
            <span>
              {text("teachAdded", host)} <code dir="ltr">{added}</code>
            </span>
          </p>
        )}
        {problem === null || added !== null ? null : <p>{problem}</p>}
      </div>
      <p class="form-end">
        <Button onClick={onAgain}>{text("teachAnother")}</Button>
        {added === null ? null : (
          <Button kinds="main" onClick={onShow}>
            {text("teachGoTo")}
          </Button>
        )}
        {offer === undefined || added !== null ? null : (
          <Button
            kinds="main"
            disabled={adding.isBusy || problem !== null}
            onClick={() =>
              adding.ask({
                type: "page.setPatterns",
                origin,
                patterns: [...patterns, offer.proposal.pattern],
              })
            }
          >
            {text("patternAdd")}
          </Button>
        )}
      </p>
    </section>
  )
}
