/** Clears everything that the extension stores, after listing it and asking for confirmation. */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { Confirm } from "../forms/Confirm.tsx"
import { Done } from "../forms/Entry.tsx"
import { useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { plural, text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import * as Theme from "../state/Theme.ts"
import { Section } from "../kit/Frame.tsx"

/** What would be lost, one line each. */
const goods = ({ accounts, baseUrl, index, keyHint, sites }: AppState): ReadonlyArray<string> => [
  ...(baseUrl === null ? [] : [text("clearAddress", baseUrl)]),
  ...(keyHint === null ? [] : [text("clearKey", keyHint)]),
  ...(index.contracts === 0 ? [] : [plural("clearContracts", index.contracts)]),
  ...(sites.length === 0 ? [] : [plural("clearSites", sites.length)]),
  ...(accounts.length < 2 ? [] : [plural("clearAccounts", accounts.length)]),
  text("clearSettings"),
]

export const Clear = ({ state, onState }: StateProps) => {
  const [isCleared, setCleared] = useState(false)
  const clearing = useChange((after) => {
    localStorage.clear()
    Theme.recall()
    setCleared(true)
    onState(after)
  })
  return (
    <Section id="clear" intro={text("optionsClearIntro")}>
      <div class="part">
        <Confirm
          first={text("clearFirst")}
          question={text("clearQuestion")}
          second={text("clearYes")}
          isBusy={clearing.isBusy}
          onConfirm={() => {
            setCleared(false)
            clearing.ask({ type: "page.clear" })
          }}
        >
          <ul class="goods">
            {goods(state).map((good) => (
              <li key={good}>
                <bdi>{good}</bdi>
              </li>
            ))}
          </ul>
          <p>{text("clearKeeps")}</p>
        </Confirm>
        <Done>{isCleared ? text("cleared") : null}</Done>
        {isCleared ? (
          <p>
            <a href="/welcome.html">{text("welcomeAgain")}</a>
          </p>
        ) : null}
        <ErrorNotice error={clearing.error} />
      </div>
    </Section>
  )
}
