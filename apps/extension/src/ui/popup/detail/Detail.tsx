/** One contract in full: every member of the record, its age, a button to request it again, and ways to copy it. */
import { useLayoutEffect, useRef, useState, useEffect } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import * as Age from "../../kit/Age.ts"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"
import { useAction, useBackground } from "../../state/Live.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import * as ServiceLink from "../../state/ServiceLink.ts"
import { Fields, Heading, Saying, copy } from "./Fields.tsx"
import { Siblings } from "./Siblings.tsx"
import { Moment } from "./Words.tsx"
import type { ContractDetail } from "../../../index/PageIndex.ts"
import type { Say } from "./Fields.tsx"
import { toRow, toText } from "./Record.ts"
import type { Action } from "../../state/Live.ts"
import { Button, IconButton } from "../../kit/Button.tsx"

/** An answer of the service that is younger than this is not requested again automatically. */
const freshMillis = 60_000

type Known =
  | { readonly _tag: "Looking" }
  /** Neither the index nor the service has it, as far as they were queried. */
  | { readonly _tag: "Unknown"; readonly isAsked: boolean }
  | { readonly _tag: "Found"; readonly detail: ContractDetail; readonly isFresh: boolean }

/** Whether the service can answer. Otherwise a request would only repeat the problem that the state already shows. */
const canAsk = (state: AppState | null): boolean => state?.connection._tag === "Ready"

/**
 * One contract while it is shown: first from the index, then as the service has it now. The data from the index stays visible whatever the service
 * answers.
 */
const useContract = (
  id: number,
  state: AppState | null,
): { readonly known: Known; readonly asking: Action<ContractDetail | null>; readonly ask: () => void } => {
  const background = useBackground()
  const [known, setKnown] = useState<Known>({ _tag: "Looking" })
  const asking = useAction<ContractDetail | null>((detail) =>
    setKnown(detail === null ? { _tag: "Unknown", isAsked: true } : { _tag: "Found", detail, isFresh: true }),
  )
  const ask = (): void => asking.run(() => background.ask({ type: "page.refresh", id }))

  useEffect(() => {
    let isWanted = true
    void background.index
      .contract(id)
      .catch(() => null)
      .then((detail) => {
        if (!isWanted) return
        setKnown(
          detail === null ? { _tag: "Unknown", isAsked: false } : { _tag: "Found", detail, isFresh: false },
        )
      })
    return () => {
      isWanted = false
    }
  }, [background, id])

  const mayAsk = canAsk(state)
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current || !mayAsk || known._tag === "Looking") return
    hasAsked.current = true
    const isOld = known._tag === "Unknown" || Date.now() - Date.parse(known.detail.seenAt) > freshMillis
    if (isOld) ask()
  }, [mayAsk, known])
  return { known, asking, ask }
}

/** The switch that watches a contract: its changes come first in the list of changes, and the toolbar button shows them. */
const Watch = ({
  id,
  state,
  watching,
}: {
  readonly id: number
  readonly state: AppState
  readonly watching: Action<AppState>
}) => {
  const background = useBackground()
  const isWatched = state.watched.ids.includes(id)
  return (
    <Button
      kinds="small"
      aria-pressed={isWatched}
      title={text("watchHint")}
      onClick={() => watching.run(() => background.ask({ type: "page.watch", id, isWatched: !isWatched }))}
    >
      {text("watch")}
    </Button>
  )
}

/** Copies a contract as text or as a row for a spreadsheet, or opens it at the service. Copying with nothing selected also copies the text. */
const CopyMenu = ({
  detail,
  link,
  onSaid,
}: {
  readonly detail: ContractDetail
  /** The contract's address at the service; null if the user has set no template for it. */
  readonly link: string | null
  readonly onSaid: Say
}) => {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => {
      if (event.clipboardData === null || !(document.getSelection()?.isCollapsed ?? true)) return
      event.clipboardData.setData("text/plain", toText(detail))
      event.preventDefault()
      onSaid(text("copiedText"))
    }
    document.addEventListener("copy", onCopy)
    return () => document.removeEventListener("copy", onCopy)
  }, [detail, onSaid])
  return (
    <p class="copy-menu">
      {link === null ? null : (
        <a class="button button-main" href={link} target="_blank" rel="noreferrer">
          {text("detailOpen")}
          <Icon name="out" />
        </a>
      )}
      <Button onClick={() => copy(toText(detail), text("copiedText"), onSaid)}>
        <Icon name="copy" />
        {text("detailCopyText")}
      </Button>
      <Button onClick={() => copy(toRow(detail), text("copiedRow"), onSaid)}>
        <Icon name="table" />
        {text("detailCopyRow")}
      </Button>
    </p>
  )
}

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
  onOpen,
  onBack,
}: {
  readonly id: number
  readonly state: AppState | null
  readonly now: number
  readonly onOpen: (id: number) => void
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
        <Button kinds="small" disabled={asking.isBusy} onClick={ask}>
          <Icon name="refresh" />
          {asking.isBusy ? text("detailRefreshing") : text("detailRefresh")}
        </Button>
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
          <Fields detail={detail} now={now}>
            {state === null ? null : <Siblings row={detail.row} state={state} onOpen={onOpen} />}
          </Fields>
          <CopyMenu detail={detail} link={ServiceLink.of(state?.baseUrl ?? null, id)} onSaid={setSaid} />
        </Saying.Provider>
      )}
      <p class="detail-said" role="status">
        {said}
      </p>
    </div>
  )
}
