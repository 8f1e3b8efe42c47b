/** The listing sites: each added site with its switch, its permission and its patterns, and the form that adds one. */
import { useState } from "preact/hooks"
import type { AppState, Site } from "../../../messages/AppState.ts"
import { withGrant } from "../../state/Grants.ts"
import { SiteForm } from "../../forms/AddressForm.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { useBackground, useChange } from "../../state/Live.ts"
import type { StateProps } from "../../state/Live.ts"
import { plural, text } from "../../kit/Message.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { Switch, Button } from "../../kit/Button.tsx"
import { Patterns } from "./Patterns.tsx"
import { Section } from "../../kit/Frame.tsx"

const SiteCard = ({
  site,
  isOpen,
  onState,
}: {
  readonly site: Site
  /** Whether its patterns are shown from the start. */
  readonly isOpen: boolean
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const changing = useChange(onState)
  const { isGranted, isOn, origin, patterns } = site
  const { host } = new URL(origin)

  const allow = (): void =>
    changing.run(() => withGrant(origin, () => background.ask({ type: "page.addSite", origin })))
  return (
    <li class="site-card" data-granted={isGranted}>
      <div class="site-card-header">
        <h3>
          <bdi>{host}</bdi>
        </h3>
        {isGranted ? (
          <Switch
            isOn={isOn}
            isDisabled={changing.isBusy}
            onChange={(isOn) => changing.ask({ type: "page.switchSite", origin, isOn })}
          >
            {text("siteShow")} <span class="unseen">{host}</span>
          </Switch>
        ) : (
          <Button kinds="small main" disabled={changing.isBusy} onClick={allow}>
            {text("siteAllowAgain")} <span class="unseen">{host}</span>
          </Button>
        )}
        <Button
          kinds="small"
          disabled={changing.isBusy}
          onClick={() => changing.ask({ type: "page.removeSite", origin })}
        >
          {text("siteTakeBack")} <span class="unseen">{host}</span>
        </Button>
      </div>
      {isGranted ? null : (
        <p class="site-card-lost">
          <Icon name="warning" /> {text("siteLost")}
        </p>
      )}
      <ErrorNotice error={changing.error} />
      <details class="site-card-patterns" open={isOpen}>
        <summary>
          {patterns.length === 0 ? text("patternsNone") : plural("patterns", patterns.length)}{" "}
          <span class="unseen">{host}</span>
        </summary>
        <Patterns site={site} onState={onState} />
      </details>
    </li>
  )
}

/** The added site of an origin, unless its permission was taken back. */
export const knownSite = ({ sites }: AppState, wanted: string): Site | undefined =>
  sites.find(({ isGranted, origin }) => isGranted && origin === wanted)

export const Sites = ({
  state,
  onState,
  wanted,
}: StateProps & {
  /** The site that the page was opened to add, or whose patterns it was opened to change. */
  readonly wanted: string
}) => {
  // A site that was just added stays as it is.
  const [known] = useState(knownSite(state, wanted)?.origin)
  const [initial] = useState(known === undefined ? wanted : "")
  return (
    <Section id="sites" intro={text("optionsSitesIntro")}>
      {state.sites.length === 0 ? (
        <p class="empty">{text("sitesEmpty")}</p>
      ) : (
        <ul class="site-cards">
          {state.sites.map((site) => (
            <SiteCard key={site.origin} site={site} isOpen={site.origin === known} onState={onState} />
          ))}
        </ul>
      )}
      <div class="part">
        <SiteForm state={state} initial={initial} onDone={onState} />
      </div>
    </Section>
  )
}
