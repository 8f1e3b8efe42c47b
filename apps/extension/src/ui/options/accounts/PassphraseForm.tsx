/**
 * The form for a new passphrase, typed twice, and for the current one if it is set. The passphrases are removed from the page as soon as they are
 * handed over.
 */
import { useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import { accountLimits } from "../../../messages/AccountMessage.ts"
import { Done, Entry } from "../../forms/Entry.tsx"
import { useAction, useBackground } from "../../state/Live.ts"
import { text } from "../../kit/Message.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"

const empty = { current: "", next: "", again: "" }

export const PassphraseForm = ({
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
