/** The first steps: address, key, sites, first sync. Opened when the extension is installed, and again on request. */
import type { AppState } from "../../messages/AppState.ts"
import { AddressForm } from "../forms/AddressForm.tsx"
import { Mark } from "../kit/Icon.tsx"
import { useAppState } from "../state/Live.ts"
import { Unlock } from "../lock/Unlock.tsx"
import { text } from "../kit/Message.ts"
import { KeyStep } from "./KeyStep.tsx"
import { Screen } from "./Screen.tsx"
import { SitesStep } from "./SitesStep.tsx"
import { useStep } from "./Steps.ts"
import type { StepName } from "./Steps.ts"
import { isFinished, SyncStep } from "./SyncStep.tsx"

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
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
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
      <p class="quiet" role="status">
        {text("loading")}
      </p>
    </main>
  ) : state.connection._tag === "Locked" ? (
    <main class="welcome">
      <h1 class="unseen">{text("welcomeTitle")}</h1>
      <Unlock state={state} onState={setState} />
    </main>
  ) : (
    <Loaded state={state} onState={setState} onClose={onClose} />
  )
}
