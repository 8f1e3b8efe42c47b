/**
 * The popup: looking contracts up, one contract in full, and what stands in the way, if anything does. The list stays as it was left while
 * a contract is looked at.
 */
import { useLayoutEffect, useState } from "preact/hooks"
import * as Advice from "../Advice.ts"
import type { Step } from "../Advice.ts"
import { useAction, useAppState, useBackground, useNow } from "../Live.ts"
import type { AppState } from "../../messages/AppState.ts"
import { Refused } from "../Notice.tsx"
import * as Tab from "../Tab.ts"
import { Detail } from "./Detail.tsx"
import { Head } from "./Head.tsx"
import { LookUp } from "./LookUp.tsx"
import { SiteBar } from "./SiteBar.tsx"
import { searchBoxId } from "./SearchBox.tsx"
import { useSubject } from "./Subject.ts"
import type { Subject } from "./Subject.ts"

/** Changes when looking up again may give something else. */
const revisionOf = (state: AppState | null): string =>
  state === null ? "" : `${state.index.contracts} ${state.index.completedAt}`

export const Popup = ({ subject }: { readonly subject: Subject }) => {
  const background = useBackground()
  const [state, setState] = useAppState()
  const now = useNow()
  const acting = useAction(setState)
  const revision = revisionOf(state)
  const { here, origin } = useSubject(background, subject, revision)
  const [contract, setContract] = useState(subject._tag === "Contract" ? subject.id : null)
  const site = state?.sites.find((known) => known.origin === origin) ?? null

  const take = (step: Step): void => {
    if (step === "walk") acting.run(() => background.ask({ type: "page.walk" }))
    else void Tab.open(step === "setUp" ? "/welcome.html" : `/options.html#${step}`)
  }
  useLayoutEffect(() => {
    if (contract === null) document.getElementById(searchBoxId)?.focus()
  }, [contract])

  const advice = state === null ? null : Advice.of(state, now)
  return (
    <div
      class="popup"
      onKeyDown={(event) => {
        const isTyping = event.target instanceof HTMLInputElement && event.target.type === "text"
        if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        setContract(null)
        document.getElementById(searchBoxId)?.focus()
      }}
    >
      <Head
        state={state}
        now={now}
        isBusy={acting.isBusy}
        onWalk={() => take("walk")}
        onStop={() => acting.run(() => background.ask({ type: "page.stopWalk" }))}
      />
      <Refused refusal={acting.refusal} />
      <LookUp
        isHidden={contract !== null}
        state={state}
        advice={advice}
        here={here}
        now={now}
        revision={revision}
        onOpen={setContract}
        onStep={take}
      />
      {contract === null ? null : (
        <Detail key={contract} id={contract} state={state} now={now} onBack={() => setContract(null)} />
      )}
      {origin === null || state === null || state.baseUrl === null ? null : (
        <SiteBar
          origin={origin}
          site={site}
          onSwitch={(isOn) => acting.run(() => background.ask({ type: "page.switchSite", origin, isOn }))}
          onAdd={() => void Tab.open(`/options.html?site=${encodeURIComponent(origin)}#sites`)}
        />
      )}
    </div>
  )
}
