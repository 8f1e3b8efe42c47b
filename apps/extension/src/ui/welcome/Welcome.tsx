/** The first steps: address, key, sites, first sync. Opened when the extension is installed, and again on request. */
import type { AppState } from "../../messages/AppState.ts"
import { AddressForm, SiteForm } from "../forms/AddressForm.tsx"
import { Loading } from "../kit/Frame.tsx"
import { Mark, Icon } from "../kit/Icon.tsx"
import { useAppState } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { Screen, useStep } from "./Screen.tsx"
import type { StepName } from "./Screen.tsx"
import { isFinished, SyncStep } from "./SyncStep.tsx"
import { useLayoutEffect, useRef } from "preact/hooks"
import { KeyForm, KeyHint, KeyStorage } from "../forms/KeyForm.tsx"
import { Stages, useTrial, verdictOf } from "../forms/Trial.tsx"
import { Button } from "../kit/Button.tsx"

/**
 * The task of the third screen: the sites whose listings get badges. One is enough to begin with, and none is fine, because the popup works without
 * sites.
 */
const SitesStep = ({
  state,
  onState,
  onNext,
}: StateProps & {
  readonly onNext: () => void
}) => {
  const granted = state.sites.filter(({ isGranted }) => isGranted)
  return (
    <>
      <SiteForm state={state} onDone={onState} isOnly={granted.length === 0} />
      {granted.length === 0 ? null : (
        <>
          <ul class="welcome-sites" aria-label={text("optionsSites")}>
            {granted.map(({ origin }) => (
              <li key={origin}>
                <Icon name="ok" /> <bdi>{new URL(origin).host}</bdi>
              </li>
            ))}
          </ul>
          <p class="form-end">
            <Button kinds="main" onClick={onNext}>
              {text("welcomeNext")}
            </Button>
          </p>
        </>
      )}
    </>
  )
}

/** The task of the second screen: the key, tested at once, so that a wrong one is detected here and not on the last screen. */
const KeyStep = ({
  state,
  onState,
  onNext,
}: StateProps & {
  readonly onNext: () => void
}) => {
  const trial = useTrial()
  const isGood = trial.state._tag === "Ended" && /ok|warning/.test(verdictOf(trial.state.stages))
  const isWaiting = trial.state._tag === "Running"
  const { keyHint } = state
  const next = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isGood) next.current?.focus()
  }, [isGood])
  return (
    <>
      {keyHint === null ? null : (
        <p class="welcome-has">
          <KeyHint hint={keyHint} />
        </p>
      )}
      {isGood ? null : (
        <>
          <KeyForm
            state={state}
            submit={text("keyTry")}
            isOnly={keyHint === null}
            onDone={(after) => {
              onState(after)
              trial.start()
            }}
          />
          <details class="welcome-more">
            <summary>{text("keyWhere")}</summary>
            <KeyStorage state={state} onState={onState} />
          </details>
        </>
      )}
      <Stages trial={trial.state} />
      {keyHint === null || isWaiting ? null : (
        <p class="form-end">
          <button ref={next} type="button" class={isGood ? "button button-main" : "button"} onClick={onNext}>
            {isGood ? text("welcomeNext") : text("welcomeAnyway")}
          </button>
        </p>
      )}
    </>
  )
}

const doneIn = ({ baseUrl, index, keyHint, sites }: AppState): ReadonlySet<StepName> =>
  new Set<StepName>([
    ...(baseUrl === null ? [] : (["address"] as const)),
    ...(keyHint === null ? [] : (["key"] as const)),
    ...(sites.some(({ isGranted }) => isGranted) ? (["sites"] as const) : []),
    ...(index.completedAt === null ? [] : (["sync"] as const)),
  ])

const Loaded = ({
  state,
  onState,
  onClose,
}: StateProps & {
  readonly onClose: () => void
}) => {
  const [step, go] = useStep()
  const frame = { step, done: doneIn(state), onGo: go }
  switch (step) {
    case "address":
      return (
        <Screen {...frame} title={text("welcomeAddressTitle")} intro={text("welcomeAddressIntro")}>
          <AddressForm
            state={state}
            submit={text("addressAllow")}
            isOnly
            onDone={(after) => {
              onState(after)
              go("key")
            }}
          />
        </Screen>
      )
    case "key":
      return (
        <Screen
          {...frame}
          title={text("welcomeKeyTitle")}
          intro={text("welcomeKeyIntro")}
          skip={state.keyHint === null ? text("welcomeLater") : null}
        >
          <KeyStep state={state} onState={onState} onNext={() => go("sites")} />
        </Screen>
      )
    case "sites":
      return (
        <Screen
          {...frame}
          title={text("welcomeSitesTitle")}
          intro={text("welcomeSitesIntro")}
          skip={frame.done.has("sites") ? null : text("welcomeNoSites")}
        >
          <SitesStep state={state} onState={onState} onNext={() => go("sync")} />
        </Screen>
      )
    case "sync":
      return (
        <Screen
          {...frame}
          title={isFinished(state) ? text("welcomeDoneTitle") : text("welcomeSyncTitle")}
          intro={text("welcomeSyncIntro")}
        >
          <SyncStep
            state={state}
            onState={onState}
            onClose={onClose}
            onStep={(wanted) => go(wanted === "key" ? "key" : "address")}
          />
        </Screen>
      )
  }
}

export const Welcome = ({ onClose }: { readonly onClose: () => void }) => {
  const [state, setState] = useAppState()
  return state === null ? (
    <main class="welcome" aria-busy="true">
      <Mark />
      <h1 class="unseen">{text("welcomeTitle")}</h1>
      <Loading />
    </main>
  ) : (
    <Loaded state={state} onState={setState} onClose={onClose} />
  )
}
