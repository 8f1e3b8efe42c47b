/**
 * The address of the service: read, granted by the browser, then kept by the background. The browser is asked while the click is being
 * handled. Another address drops key and index, and that is said before.
 */
import { useEffect, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import * as Grants from "../state/Grants.ts"
import { useAction, useBackground } from "../state/Live.ts"
import { plural, text } from "../kit/Message.ts"
import { Refused } from "../advice/Notice.tsx"
import { denied } from "./PermissionDenied.ts"
import { Done, Entry } from "./Entry.tsx"
import * as Typed from "./TypedAddress.ts"

/** What goes with the old address; null where nothing does. */
const loss = ({ baseUrl, index, keyHint }: AppState, typed: string): string | null => {
  if (baseUrl === null || (keyHint === null && index.contracts === 0)) return null
  const address = Typed.baseAddress(typed)
  if (address._tag === "Unusable" || Typed.isSame(address.url.href, baseUrl)) return null
  return index.contracts === 0 ? text("addressDropsKey") : plural("addressDrops", index.contracts)
}

export const AddressForm = ({
  state,
  submit,
  onDone,
  isOnly = false,
}: {
  readonly state: AppState
  /** The words on the button. */
  readonly submit: string
  readonly onDone: (state: AppState) => void
  /** Whether it is the one thing to do on its page; else its button stands out only when there is something to save. */
  readonly isOnly?: boolean
}) => {
  const background = useBackground()
  const [typed, setTyped] = useState(state.baseUrl ?? "")
  const [isTried, setTried] = useState(false)
  const [isKept, setKept] = useState(false)
  const keeping = useAction<AppState>((after) => {
    setKept(true)
    onDone(after)
  })
  useEffect(() => setTyped(state.baseUrl ?? ""), [state.baseUrl])
  const address = Typed.baseAddress(typed)
  const lost = loss(state, typed)
  const isMain = isOnly || typed.trim() !== (state.baseUrl ?? "")

  const keep = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    setKept(false)
    if (address._tag === "Unusable" || keeping.isBusy) return
    const { href, origin } = address.url
    const granting = Grants.request(origin)
    keeping.run(async () =>
      (await granting) ? background.ask({ type: "page.setAddress", baseUrl: href }) : denied(origin),
    )
  }
  return (
    <form class="form" onSubmit={keep} noValidate>
      <Entry
        id="address"
        label={text("addressLabel")}
        hint={text("addressHint")}
        placeholder="https://api.example.com"
        value={typed}
        autoFocus={isOnly}
        problem={isTried && address._tag === "Unusable" ? text(address.problem) : null}
        onType={(value) => {
          setTyped(value)
          setTried(false)
          setKept(false)
          keeping.forget()
        }}
      />
      {lost === null ? null : <p class="form-loss">{lost}</p>}
      <p class="form-reason">{text("addressReason")}</p>
      <p class="form-end">
        <button type="submit" class={isMain ? "button button-main" : "button"} disabled={keeping.isBusy}>
          {keeping.isBusy ? text("busy") : submit}
        </button>
        <Done>{isKept && state.baseUrl !== null ? text("addressKept") : null}</Done>
      </p>
      <Refused refusal={keeping.refusal} />
    </form>
  )
}
