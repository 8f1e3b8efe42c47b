/**
 * Offers badges where links of the page in front carry numbers or slugs of the user's listings. The patterns that find them are learnt from the
 * page, and added by a click and never without it; they can be changed before.
 */
import { useState } from "preact/hooks"
import type { ComponentChildren } from "preact"
import type { AppState, Site } from "../../../messages/AppState.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { number, plural, text } from "../../kit/Message.ts"
import * as Learn from "../../options/sites/Learn.ts"
import { useBackground, useChange, useRead } from "../../state/Live.ts"
import * as FrontTab from "../onpage/FrontTab.ts"
import { Button } from "../../kit/Button.tsx"

const separator = /\s+/

export const LooksLike = ({
  site: { origin, patterns },
  children,
  onState,
}: {
  readonly site: Site
  /** What is offered if no links look like listings. */
  readonly children: ComponentChildren
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  /** The patterns as the user edits them; null until then. */
  const [typed, setTyped] = useState<string | null>(null)
  const adding = useChange(onState)
  const answer = useRead(async () => {
    const exclusions = patterns.filter((pattern) => pattern.startsWith("!"))
    const { known, listing } = background.index
    return { learnt: await Learn.learn(await FrontTab.links(), origin, exclusions, listing, known) }
  }, [origin])

  if (answer === null) return null
  if (answer === "failed" || answer.learnt === null) return children
  const { learnt } = answer
  const chosen = typed === null ? learnt.patterns : typed.split(separator).filter(Boolean)
  const { found, known } = learnt.count(chosen)
  if (learnt.patterns.every((pattern) => patterns.includes(pattern))) return null
  return (
    <form
      class="looks-like"
      aria-labelledby="looks-like"
      onSubmit={(event) => {
        event.preventDefault()
        adding.ask({ type: "page.setPatterns", origin, patterns: [...new Set([...patterns, ...chosen])] })
      }}
    >
      <p id="looks-like" role="status">
        {plural("looksLike", known)}
      </p>
      {typed === null ? null : (
        <label class="looks-like-edit">
          <span>{text("patternLabel")}</span>
          <input
            dir="ltr"
            spellcheck={false}
            autocomplete="off"
            maxLength={500}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <span>{text("teachFinds", number(found), number(known))}</span>
        </label>
      )}
      <p class="looks-like-buttons">
        {typed === null ? (
          <Button kinds="small quiet" onClick={() => setTyped(learnt.patterns.join(" "))}>
            {text("looksLikeEdit")}
          </Button>
        ) : null}
        <Button type="submit" kinds="small" disabled={adding.isBusy || chosen.length === 0}>
          {text("siteShow")}
        </Button>
      </p>
      <ErrorNotice error={adding.error} />
    </form>
  )
}
