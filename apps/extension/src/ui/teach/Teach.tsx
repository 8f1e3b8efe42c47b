/**
 * The page on which a link of a listing site becomes a pattern. It waits in a background tab while the user chooses a link on the page of the site,
 * comes to the front with the choice, and shows what each pattern would find before one is added.
 */
import { useLayoutEffect, useState } from "preact/hooks"
import type { Choice } from "../../page/choose/Choice.ts"
import { Frame } from "../kit/Frame.tsx"
import { text } from "../kit/Message.ts"
import { useAppState } from "../state/Live.ts"
import { Chosen } from "./Chosen.tsx"
import * as Choosing from "./Choosing.ts"
import { Button } from "../kit/Button.tsx"

type Phase =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Chosen"; readonly choice: Choice }
  | { readonly _tag: "Nothing" }
  /** The browser does not allow the extension in the tab, or the tab no longer exists. */
  | { readonly _tag: "NotAllowed" }

const waiting: Phase = { _tag: "Waiting" }

export const Teach = ({ origin, tabId }: Choosing.Subject) => {
  const [state, setState] = useAppState()
  const [phase, setPhase] = useState<Phase>(waiting)
  const choose = async (): Promise<void> => {
    setPhase(waiting)
    try {
      const choice = await Choosing.choose(tabId)
      setPhase(choice === null ? { _tag: "Nothing" } : { _tag: "Chosen", choice })
      await (choice === null ? Choosing.leave() : Choosing.showSelf())
    } catch {
      setPhase({ _tag: "NotAllowed" })
      await Choosing.showSelf()
    }
  }
  const again = async (): Promise<void> => {
    await Choosing.show(tabId)
    await choose()
  }
  // Not after a paint: a background tab is not painted.
  useLayoutEffect(() => void choose(), [])

  const { host } = URL.canParse(origin) ? new URL(origin) : { host: "" }
  const site = state?.sites.find((known) => known.origin === origin)
  return (
    <Frame title="teachTitle" as="teach-page" link={["/options.html#sites", "exportToOptions"]}>
      {state === null ? null : site === undefined || !site.isGranted || phase._tag === "NotAllowed" ? (
        <p class="empty" role="alert">
          {text("teachNotAllowed", host)}
        </p>
      ) : phase._tag === "Chosen" ? (
        <Chosen
          site={site}
          choice={phase.choice}
          onState={setState}
          onAgain={() => void again()}
          onShow={() => void Choosing.show(tabId)}
        />
      ) : (
        <section class="section" role="status">
          <p>{text(phase._tag === "Waiting" ? "teachWaiting" : "teachNone", host)}</p>
          <p class="form-end">
            {phase._tag === "Waiting" ? (
              <Button kinds="main" onClick={() => void Choosing.show(tabId)}>
                {text("teachGoTo")}
              </Button>
            ) : (
              <Button kinds="main" onClick={() => void again()}>
                {text("teachAgain")}
              </Button>
            )}
          </p>
        </section>
      )}
    </Frame>
  )
}
