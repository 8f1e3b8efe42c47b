/** One contract in full: every member of the record, its age, a button to request it again, and ways to copy it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import * as Age from "../../kit/Age.ts"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"
import { useAction } from "../../state/Live.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import * as ServiceLink from "../../state/ServiceLink.ts"
import { useContract } from "./Contract.ts"
import { Fields } from "./Fields.tsx"
import { IconButton } from "../../kit/IconButton.tsx"
import { CopyMenu } from "./CopyMenu.tsx"
import { Saying } from "./Copying.tsx"
import { Heading } from "./Heading.tsx"
import { Watch } from "./Watch.tsx"
import { Moment } from "./Words.tsx"

/** Placeholder fields until the record arrives. */
const Skeleton = () => (
  <div class="skeleton skeleton-fields" aria-hidden>
    {Array.from({ length: 8 }, (_, at) => (
      <p key={at} />
    ))}
  </div>
)

export const Detail = ({
  id,
  state,
  now,
  onBack,
}: {
  readonly id: number
  readonly state: AppState | null
  readonly now: number
  readonly onBack: () => void
}) => {
  const { ask, asking, known } = useContract(id, state)
  // The result is in the state, which every page receives.
  const watching = useAction<AppState>(() => {})
  const [said, setSaid] = useState("")
  const back = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => back.current?.focus(), [])
  const detail = known._tag === "Found" ? known.detail : null
  const isUnknown = known._tag === "Unknown" && !asking.isBusy && asking.error === null
  return (
    <div
      role="group"
      class="detail"
      aria-label={text("detailContract", String(id))}
      aria-busy={known._tag === "Looking"}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        onBack()
      }}
    >
      <div class="detail-header">
        <IconButton element={back} icon="back" name={text("detailBack")} onPress={onBack} />
        {detail === null ? (
          <h2 class="detail-words">{text("detailContract", String(id))}</h2>
        ) : (
          <Saying.Provider value={setSaid}>
            <Heading row={detail.row} />
          </Saying.Provider>
        )}
      </div>
      <div class="detail-age">
        <p>
          {detail === null ? null : (
            <Moment of={detail.seenAt}>{text("detailSeen", Age.age(detail.seenAt, now, "long"))}</Moment>
          )}
        </p>
        {detail === null || state === null ? null : <Watch id={id} state={state} watching={watching} />}
        <button type="button" class="button button-small" disabled={asking.isBusy} onClick={ask}>
          <Icon name="refresh" />
          {asking.isBusy ? text("detailRefreshing") : text("detailRefresh")}
        </button>
      </div>
      <ErrorNotice error={asking.error ?? watching.error} />
      {isUnknown ? (
        <div class="empty-results">
          <p>{text(known.isAsked ? "detailNone" : "detailGone", String(id))}</p>
          <p class="quiet">{text(known.isAsked ? "detailNoneAdvice" : "detailGoneAdvice")}</p>
        </div>
      ) : null}
      {known._tag === "Looking" ? <Skeleton /> : null}
      {detail === null ? null : (
        <Saying.Provider value={setSaid}>
          <Fields detail={detail} now={now} />
          <CopyMenu detail={detail} link={ServiceLink.of(state?.baseUrl ?? null, id)} onSaid={setSaid} />
        </Saying.Provider>
      )}
      <p class="detail-said" role="status">
        {said}
      </p>
    </div>
  )
}
