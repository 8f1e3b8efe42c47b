/**
 * The options page: the current problem, if any, then the section that the fragment of the address names. Each setting takes effect when it is changed; address, key and sites
 * have a button, because they need an answer of the browser or the service.
 */
import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import * as Advice from "../advice/Advice.ts"
import type { Step } from "../../failures/ConnectionFailure.ts"
import { withGrant } from "../state/Grants.ts"
import { useTrial } from "../forms/Trial.tsx"
import { Frame, sections, ShownSection } from "../kit/Frame.tsx"
import { useAppState, useBackground, useChange, useNow } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import * as Shortcuts from "../state/Shortcuts.ts"
import { text } from "../kit/Message.ts"
import { Notice, ErrorNotice } from "../advice/Notice.tsx"
import { SmallerList } from "../sync/SmallerList.tsx"
import { Accounts } from "./Accounts.tsx"
import { Clear } from "./Clear.tsx"
import { Contracts } from "./Contracts.tsx"
import { Keys } from "./Keys.tsx"
import { Look } from "./Appearance.tsx"
import { Service } from "./Service.tsx"
import { knownSite, Sites } from "./sites/Sites.tsx"
import { testerId } from "./sites/PatternTester.tsx"
import { Transfer } from "./Transfer.tsx"

/** Scrolls to a place of the page and sets the focus there: on an input itself, or on the heading of anything larger. */
const goTo = (id: string): void => {
  const place = document.getElementById(id)
  const isBox = place instanceof HTMLInputElement
  place?.scrollIntoView({ block: isBox ? "center" : "start" })
  const target = isBox ? place : place?.querySelector<HTMLElement>("h2, h3")
  target?.focus({ preventScroll: true })
}

/** The place that the fragment of the address names. */
const useFragment = (): string => {
  const [fragment, setFragment] = useState(location.hash.slice(1))
  useEffect(() => {
    const read = (): void => setFragment(location.hash.slice(1))
    addEventListener("hashchange", read)
    return () => removeEventListener("hashchange", read)
  }, [])
  return fragment
}

/** The sections that this browser has a use for. */
const usable = () => sections.filter(([id]) => id !== "keys" || Shortcuts.areThere())

/** The section of a place: the first one for no place, and for a part of it. */
const sectionOf = (fragment: string): string =>
  usable().find(([id]) => id === fragment)?.[0] ?? sections[0][0]

/**
 * Goes to the place together with the first content, so that the focus is never taken from somebody who types already. If a permission is missing, the
 * page asks for it at the top and does not go anywhere else.
 */
const useWantedPlace = (state: AppState | null, fragment: string, wantedSite: string): void => {
  const isThere = state !== null && state.connection._tag !== "NoPermission"
  useLayoutEffect(() => {
    if (!isThere) return
    if (fragment === "sites" && wantedSite !== "") {
      goTo(knownSite(state, wantedSite) === undefined ? "site" : testerId(wantedSite))
    } else if (fragment !== "") goTo(fragment)
  }, [isThere, fragment, wantedSite])
}

const Loaded = ({
  state,
  onState,
  wantedSite,
}: StateProps & {
  readonly wantedSite: string
}) => {
  const background = useBackground()
  const now = useNow()
  const trial = useTrial()
  const stepping = useChange(onState)
  const advice = Advice.of(state, now)

  const allow = (origin: string, baseUrl: string): void =>
    stepping.run(() => withGrant(origin, () => background.ask({ type: "page.setAddress", baseUrl })))
  const take = (step: Step): void => {
    const { baseUrl, connection } = state
    if (step === "setUp") location.assign("/welcome.html")
    else if (step === "key") show("key")
    else if (step === "sync") stepping.ask({ type: "page.sync" })
    else if (connection._tag === "NoPermission" && baseUrl !== null) allow(connection.origin, baseUrl)
    else {
      show("connection")
      trial.start()
    }
  }
  /** Shows a part of the first section, which is drawn at once unless it is shown already. */
  const show = (id: string): void => {
    if (location.hash === `#${id}`) goTo(id)
    else location.hash = id
  }
  return (
    <>
      {advice === null ? null : (
        <Notice advice={advice} onStep={take} isTrying={stepping.isBusy || Advice.isReading(state)} />
      )}
      <SmallerList state={state} now={now} onState={onState} />
      <ErrorNotice error={stepping.error} />
      <Service key={`service ${state.account}`} state={state} onState={onState} trial={trial} />
      <Sites state={state} onState={onState} wanted={wantedSite} />
      <Contracts state={state} now={now} onState={onState} />
      <Look state={state} onState={onState} />
      {Shortcuts.areThere() ? <Keys /> : null}
      <Accounts state={state} onState={onState} />
      <Transfer state={state} onState={onState} />
      <Clear state={state} onState={onState} />
    </>
  )
}

export const Options = ({ wantedSite }: { readonly wantedSite: string }) => {
  const [state, setState] = useAppState()
  const fragment = useFragment()
  const shown = sectionOf(fragment)
  useWantedPlace(state, fragment, wantedSite)
  const places = (
    <nav class="page-places" aria-label={text("optionsPlaces")}>
      <ul>
        {usable().map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === shown ? "page" : undefined}>
              {text(title)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
  return (
    <Frame title="optionsTitle" link={["/welcome.html", "welcomeAgain"]} places={places}>
      {state === null ? null : (
        <ShownSection.Provider value={shown}>
          <Loaded state={state} onState={setState} wantedSite={wantedSite} />
        </ShownSection.Provider>
      )}
    </Frame>
  )
}
