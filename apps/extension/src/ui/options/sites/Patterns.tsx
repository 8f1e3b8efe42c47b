/**
 * The link patterns of a site: adding them after a check, removing them one by one, testing them on an address, and deriving them from one.
 * Most sites need none, because the last part of a link is usually the listing's name.
 */
import { useState } from "preact/hooks"
import { isPattern, mostPatterns, onlyPatterns } from "../../../address/Reference.ts"
import type { AppState, Site } from "../../../messages/AppState.ts"
import { Entry } from "../../forms/Entry.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { useChange } from "../../state/Live.ts"
import { text } from "../../kit/Message.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { Switch, Button } from "../../kit/Button.tsx"
import { Tester } from "./PatternTester.tsx"

export const Patterns = ({
  site,
  onState,
}: {
  readonly site: Site
  readonly onState: (state: AppState) => void
}) => {
  const [typed, setTyped] = useState("")
  const [isTried, setTried] = useState(false)
  const keeping = useChange((after) => {
    setTyped("")
    setTried(false)
    onState(after)
  })
  const { origin, patterns } = site
  const { host } = new URL(origin)
  const listed = patterns.filter((pattern) => pattern !== onlyPatterns)
  const isStrict = listed.length < patterns.length
  const draft = typed.trim()
  const isReadable = isPattern(draft)
  const problem = !isReadable
    ? text("errorPatternAdvice")
    : patterns.includes(draft)
      ? text("patternTwice")
      : patterns.length >= mostPatterns
        ? text("patternsFull", String(mostPatterns))
        : null

  const keep = (patterns: ReadonlyArray<string>): void =>
    keeping.ask({ type: "page.setPatterns", origin, patterns })
  return (
    <div class="patterns">
      <p class="part-intro">{text("patternsIntro")}</p>
      <Switch
        isOn={isStrict}
        isDisabled={keeping.isBusy}
        onChange={(isOn) => keep(isOn ? [...patterns, onlyPatterns] : listed)}
      >
        {text("patternsOnly")} <span class="unseen">{host}</span>
      </Switch>
      {listed.length === 0 ? null : (
        <ul class="pattern-list">
          {listed.map((pattern) => (
            <li key={pattern}>
              <code dir="ltr">{pattern}</code>
              <button
                type="button"
                class="icon-button"
                aria-label={text("patternRemove", pattern)}
                disabled={keeping.isBusy}
                onClick={() => keep(patterns.filter((known) => known !== pattern))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (problem === null) keep([...patterns, draft])
        }}
      >
        <Entry
          id={`pattern-${host}`}
          kind="code"
          label={text("patternLabel")}
          placeholder="/homes/:slug"
          hint={text("patternHint")}
          value={typed}
          problem={isTried ? problem : null}
          onType={(value) => {
            setTyped(value)
            setTried(false)
            keeping.forget()
          }}
        />
        <p class="form-end">
          <Button type="submit" disabled={keeping.isBusy}>
            {text("patternAdd")}
          </Button>
        </p>
        <ErrorNotice error={keeping.error} />
      </form>
      <Tester
        site={site}
        draft={isReadable ? draft : null}
        isBusy={keeping.isBusy}
        onUse={setTyped}
        onExclude={(pattern) => keep([...new Set([...patterns, pattern])])}
      />
    </div>
  )
}
