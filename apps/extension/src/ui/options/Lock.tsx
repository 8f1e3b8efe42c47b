/** The lock: setting a passphrase, the delay for automatic locking, and locking now. The page says plainly what is encrypted and what is not. */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { Entry, Done } from "../forms/Entry.tsx"
import { useAction, useBackground } from "../state/Live.ts"
import { plural, text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Section } from "../kit/Section.tsx"
import { accountLimits } from "../../messages/AccountMessage.ts"

const empty = { current: "", next: "", again: "" }

/**
 * The form for a new passphrase, typed twice, and for the current one if it is set. The passphrases are removed from the page as soon as they are
 * handed over.
 */
const PassphraseForm = ({
  isSet,
  onState,
}: {
  /** Whether a passphrase is already set. */
  readonly isSet: boolean
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const [typed, setTyped] = useState(empty)
  const [isTried, setTried] = useState(false)
  const [isKept, setKept] = useState(false)
  const keeping = useAction<AppState>((after) => {
    setTyped(empty)
    setTried(false)
    setKept(true)
    onState(after)
  })
  const type = (part: Partial<typeof empty>): void => {
    setTyped({ ...typed, ...part })
    setTried(false)
    setKept(false)
    keeping.forget()
  }
  const isShort = typed.next.length < accountLimits.leastPassphrase
  const isOther = typed.again !== typed.next
  const keep = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    if (isShort || isOther || (isSet && typed.current === "")) return
    const current = isSet ? typed.current : null
    keeping.run(() => background.ask({ type: "page.setPassphrase", passphrase: typed.next, current }))
  }
  return (
    <form class="form" onSubmit={keep} noValidate>
      {isSet ? (
        <Entry
          id="passphrase-current"
          kind="secret"
          label={text("passphraseCurrent")}
          value={typed.current}
          problem={isTried && typed.current === "" ? text("passphraseMissing") : null}
          onType={(current) => type({ current })}
        />
      ) : null}
      <Entry
        id="passphrase-next"
        kind="secret"
        label={text("passphraseNext")}
        hint={text("passphraseHint", String(accountLimits.leastPassphrase))}
        value={typed.next}
        problem={isTried && isShort ? text("errorShort") : null}
        onType={(next) => type({ next })}
      />
      <Entry
        id="passphrase-again"
        kind="secret"
        label={text("passphraseAgain")}
        value={typed.again}
        problem={isTried && !isShort && isOther ? text("passphraseOther") : null}
        onType={(again) => type({ again })}
      />
      <p class="form-end">
        <button type="submit" class="button" disabled={keeping.isBusy}>
          {keeping.isBusy ? text("busy") : isSet ? text("passphraseChange") : text("passphraseSet")}
        </button>
        <Done>{isKept ? text("passphraseKept") : null}</Done>
      </p>
      <ErrorNotice error={keeping.error} />
    </form>
  )
}

interface Props {
  readonly state: AppState
  readonly onState: (state: AppState) => void
}

/** Selectable minutes without use. A value that was set elsewhere is offered too. */
const offered = [5, 15, 30, 60, 240]

const nameOf = (minutes: number): string =>
  minutes % 60 === 0 ? plural("afterHours", minutes / 60) : plural("afterMinutes", minutes)

const When = ({ onState, state }: Props) => {
  const background = useBackground()
  const acting = useAction(onState)
  const { afterMinutes } = state.lock
  const minutes = [...new Set([...offered, ...(afterMinutes === null ? [] : [afterMinutes])])]
  return (
    <div class="part">
      <p class="form-end">
        <button
          type="button"
          class="button button-main"
          disabled={acting.isBusy}
          onClick={() => acting.run(() => background.ask({ type: "page.lock" }))}
        >
          {text("lockNow")}
        </button>
      </p>
      <div class="entry">
        <label class="entry-name" for="lock-after">
          {text("lockAfter")}
        </label>
        <select
          id="lock-after"
          class="entry-box"
          value={afterMinutes ?? ""}
          disabled={acting.isBusy}
          onChange={({ currentTarget: { value } }) =>
            acting.run(() =>
              background.ask({ type: "page.setLockAfter", minutes: value === "" ? null : Number(value) }),
            )
          }
        >
          {minutes
            .toSorted((one, other) => one - other)
            .map((choice) => (
              <option key={choice} value={choice} selected={choice === afterMinutes}>
                {nameOf(choice)}
              </option>
            ))}
          <option value="" selected={afterMinutes === null}>
            {text("lockAtClose")}
          </option>
        </select>
        <p class="entry-hint">{text("lockAfterHint")}</p>
      </div>
      <ErrorNotice error={acting.error} />
    </div>
  )
}

const Remove = ({ onState }: Pick<Props, "onState">) => {
  const background = useBackground()
  const [typed, setTyped] = useState("")
  const removing = useAction(onState)
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== "")
          removing.run(() => background.ask({ type: "page.removePassphrase", current: typed }))
        setTyped("")
      }}
    >
      <Entry
        id="passphrase-remove"
        kind="secret"
        label={text("passphraseCurrent")}
        value={typed}
        onType={(value) => {
          setTyped(value)
          removing.forget()
        }}
      />
      <p class="form-end">
        <button type="submit" class="button button-danger" disabled={removing.isBusy}>
          {removing.isBusy ? text("busy") : text("passphraseRemove")}
        </button>
      </p>
      <ErrorNotice error={removing.error} />
    </form>
  )
}

export const Lock = ({ onState, state }: Props) => {
  const { isSet } = state.lock
  return (
    <Section id="lock" intro={text("optionsLockIntro")}>
      <div class="part">
        <p>{text("lockEncrypts")}</p>
        <p>{text("lockForgetting")}</p>
      </div>
      {isSet ? <When state={state} onState={onState} /> : null}
      <div class="part">
        {isSet ? (
          <>
            <details class="site-card-patterns">
              <summary>{text("passphraseChange")}</summary>
              <PassphraseForm isSet onState={onState} />
            </details>
            <details class="site-card-patterns">
              <summary>{text("passphraseRemove")}</summary>
              <Remove onState={onState} />
            </details>
          </>
        ) : (
          <PassphraseForm isSet={false} onState={onState} />
        )}
      </div>
    </Section>
  )
}
