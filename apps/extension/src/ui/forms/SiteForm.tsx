/**
 * A listing site to add: read, granted by the browser while the click is being handled, then named to the background, which shows badges on
 * it. Why the browser asks is said above the button.
 */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import * as Grants from "../state/Grants.ts"
import { useAction, useBackground } from "../state/Live.ts"
import { text } from "../kit/Message.ts"
import { Refused } from "../advice/Notice.tsx"
import { denied } from "./PermissionDenied.ts"
import { Done, Entry } from "./Entry.tsx"
import * as Typed from "./TypedAddress.ts"

export const SiteForm = ({
  state,
  onDone,
  initial = "",
  isOnly = false,
}: {
  readonly state: AppState
  readonly onDone: (state: AppState) => void
  /** An address that stands in the box already, such as the one that the popup was opened on. */
  readonly initial?: string
  /** Whether it is the one thing to do on its page; else its button stands out only when there is something to add. */
  readonly isOnly?: boolean
}) => {
  const background = useBackground()
  const [typed, setTyped] = useState(initial)
  const [isTried, setTried] = useState(false)
  const [added, setAdded] = useState<string | null>(null)
  const adding = useAction<AppState>((after) => {
    if (address._tag === "Usable") setAdded(address.url.origin)
    setTyped("")
    setTried(false)
    onDone(after)
  })
  const isAdded = added !== null && state.sites.some(({ origin }) => origin === added)
  const address = Typed.siteAddress(typed)

  const add = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    setAdded(null)
    if (address._tag === "Unusable" || adding.isBusy) return
    const { origin } = address.url
    const granting = Grants.request(origin)
    adding.run(async () =>
      (await granting) ? background.ask({ type: "page.addSite", origin }) : denied(origin),
    )
  }
  return (
    <form class="form" onSubmit={add} noValidate>
      <Entry
        id="site"
        label={text("siteLabel")}
        hint={text("siteHint")}
        placeholder="https://homes.example"
        value={typed}
        autoFocus={isOnly}
        problem={isTried && address._tag === "Unusable" ? text(address.problem) : null}
        onType={(value) => {
          setTyped(value)
          setTried(false)
          setAdded(null)
          adding.forget()
        }}
      />
      <p class="form-reason">{text("siteReason")}</p>
      <p class="form-end">
        <button
          type="submit"
          class={isOnly || typed.trim() !== "" ? "button button-main" : "button"}
          disabled={adding.isBusy}
        >
          {adding.isBusy ? text("busy") : text("siteAllow")}
        </button>
        <Done>{isAdded ? text("siteAdded", new URL(added).host) : null}</Done>
      </p>
      <Refused refusal={adding.refusal} />
    </form>
  )
}
