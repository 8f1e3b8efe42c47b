/** The lock: setting a passphrase, the delay for automatic locking, and locking now. The page says plainly what is encrypted and what is not. */
import { useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import { Entry } from "../../forms/Entry.tsx"
import { useAction, useBackground } from "../../state/Live.ts"
import { plural, text } from "../../kit/Message.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { PassphraseForm } from "./PassphraseForm.tsx"
import { Section } from "../../kit/Section.tsx"

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
