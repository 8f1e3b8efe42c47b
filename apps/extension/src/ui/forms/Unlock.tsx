/**
 * The content of a page while the extension is locked: a box for the passphrase, the wait after a wrong one, and the only option for a user who has
 * forgotten it, which is to clear everything.
 */
import { useLayoutEffect, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { Confirm } from "./Confirm.tsx"
import { Entry } from "./Entry.tsx"
import { useAction, useBackground, useNow } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import * as Theme from "../state/Theme.ts"

interface UnlockProps {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}

const boxId = "passphrase"

const Forgotten = ({ onState }: Pick<UnlockProps, "onState">) => {
  const background = useBackground()
  const clearing = useAction<AppState>((after) => {
    localStorage.clear()
    Theme.recall()
    onState(after)
  })
  return (
    <div class="unlock-forgotten">
      <Confirm
        first={text("unlockForgotten")}
        question={text("unlockForgottenQuestion")}
        second={text("clearYes")}
        isBusy={clearing.isBusy}
        onConfirm={() => clearing.run(() => background.ask({ type: "page.clear" }))}
      >
        <p>{text("unlockForgottenMeaning")}</p>
      </Confirm>
      <ErrorNotice error={clearing.error} />
    </div>
  )
}

export const Unlock = ({ onState, state }: UnlockProps) => {
  const background = useBackground()
  const now = useNow(500)
  const [typed, setTyped] = useState("")
  const unlocking = useAction<AppState>((after) => {
    setTyped("")
    onState(after)
  })
  // The passphrase box has the focus at first, and again after a wrong passphrase.
  useLayoutEffect(() => document.getElementById(boxId)?.focus(), [unlocking.error])
  const wait = state.lock.waitUntil === null ? null : Age.remaining(state.lock.waitUntil, now)
  const unlock = (event: Event): void => {
    event.preventDefault()
    if (typed === "" || wait !== null) return
    unlocking.run(() => background.ask({ type: "page.unlock", passphrase: typed }))
    setTyped("")
  }
  return (
    <section class="unlock" aria-labelledby="unlock-title">
      <h2 id="unlock-title">{text("lockedTitle")}</h2>
      <p>{text("lockedBody")}</p>
      <form class="form" onSubmit={unlock} noValidate>
        <Entry id={boxId} kind="secret" label={text("passphraseLabel")} value={typed} onType={setTyped} />
        <p class="form-end">
          <button type="submit" class="button button-main" disabled={unlocking.isBusy || wait !== null}>
            {unlocking.isBusy ? text("busy") : wait === null ? text("unlock") : text("unlockIn", wait)}
          </button>
        </p>
        <ErrorNotice error={unlocking.error} />
      </form>
      <Forgotten onState={onState} />
    </section>
  )
}
