/** The task of the last screen: the first sync. It continues without this tab, so the screen says that the tab can be closed at any time. */
import type { AppState } from "../../messages/AppState.ts"
import * as Advice from "../advice/Advice.ts"
import type { Step } from "../../failures/ConnectionFailure.ts"
import { useChange, useNow } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { number, plural, text } from "../kit/Message.ts"
import { Notice, ErrorNotice } from "../advice/Notice.tsx"
import { useProtection } from "../state/Protection.ts"
import * as Shortcuts from "../state/Shortcuts.ts"
import { SmallerList } from "../sync/SmallerList.tsx"
import { share, waitOf } from "../sync/SyncProgress.tsx"
import type { Syncing } from "../sync/SyncProgress.tsx"
import { Button } from "../kit/Button.tsx"

const Progress = ({ sync, now }: { readonly sync: Syncing; readonly now: number }) => {
  const done = share(sync)
  return (
    <section class="first-sync" aria-label={text("syncName")}>
      <p class="first-sync-count">{number(sync.records)}</p>
      <p class="first-sync-unit">{plural("welcomeRead", sync.records)}</p>
      <progress aria-label={text("syncName")} {...(done === null ? {} : { value: done, max: 1 })} />
      <p class="first-sync-wait">{waitOf(sync, now)}</p>
      <p>{text("welcomeMayClose")}</p>
    </section>
  )
}

const Finished = ({
  state,
  isAsking,
  onClose,
}: {
  readonly state: AppState
  /** Whether the browser is being asked to protect the saved data. */
  readonly isAsking: boolean
  readonly onClose: () => void
}) => {
  const site = state.sites.find(({ isGranted, isOn }) => isGranted && isOn)
  return (
    <section class="first-sync" data-done="true">
      <p class="first-sync-count">{number(state.index.contracts)}</p>
      <p class="first-sync-unit">{plural("welcomeReady", state.index.contracts)}</p>
      <ul class="first-sync-hints">
        <li>{text(Shortcuts.areThere() ? "welcomeHintPopup" : "welcomeHintMenu")}</li>
        {Shortcuts.areThere() ? <li>{text("welcomeHintPin")}</li> : null}
        <li>
          {site === undefined ? (
            text("welcomeHintNoSites")
          ) : (
            <>
              {text("welcomeHintSites")}{" "}
              <span class="status" data-tone="active" aria-hidden="true">
                {`${number(1)} active`}
              </span>
            </>
          )}
        </li>
        {isAsking ? <li>{text("protectHint")}</li> : null}
      </ul>
      <p>
        <strong>{text("welcomeClose")}</strong>
      </p>
      <p class="form-end">
        {site === undefined ? null : (
          <a class="button button-main" href={site.origin} target="_blank" rel="noreferrer">
            {text("welcomeOpen", new URL(site.origin).host)}
          </a>
        )}
        <Button kinds={site === undefined ? "main" : ""} onClick={onClose}>
          {text("welcomeCloseTab")}
        </Button>
        <a class="button" href="/options.html">
          {text("optionsTitle")}
        </a>
      </p>
    </section>
  )
}

/** Whether everything was read, at least once. */
export const isFinished = ({ index, sync }: AppState): boolean =>
  sync._tag === "Idle" && index.completedAt !== null

export const SyncStep = ({
  state,
  onState,
  onStep,
  onClose,
}: StateProps & {
  /** Handles the steps of an advice other than a sync. */
  readonly onStep: (step: Exclude<Step, "sync">) => void
  readonly onClose: () => void
}) => {
  const now = useNow(1_000)
  const syncing = useChange(onState)
  const { index, sync } = state
  const advice = Advice.of(state, now)
  const isDone = isFinished(state)
  // Now there is data to protect, and the page explains a prompt of the browser.
  const { isAsking } = useProtection(isDone)
  return (
    <>
      {sync._tag === "Syncing" ? <Progress sync={sync} now={now} /> : null}
      {advice === null ? null : (
        <Notice
          advice={advice}
          onStep={(step) => {
            if (step === "sync") syncing.ask({ type: "page.sync" })
            else onStep(step)
          }}
        />
      )}
      <SmallerList state={state} now={now} onState={onState} />
      <ErrorNotice error={syncing.error} />
      <p class="unseen" role="status">
        {isDone ? `${number(index.contracts)} ${plural("welcomeReady", index.contracts)}` : null}
      </p>
      {isDone ? <Finished state={state} isAsking={isAsking} onClose={onClose} /> : null}
    </>
  )
}
