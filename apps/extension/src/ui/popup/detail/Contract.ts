/**
 * One contract while it is looked at: from the index at once, then as the service has it now. What the index knows stays in view whatever
 * the service answers.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import type { ContractDetail } from "../../../messages/PageMessage.ts"
import type { UserError } from "../../../messages/UserError.ts"
import { useAction, useBackground } from "../../state/Live.ts"
import type { Action } from "../../state/Live.ts"

/** What the service said this recently is not asked again by itself. */
const freshMillis = 60_000

export type Known =
  | { readonly _tag: "Looking" }
  /** Neither index nor service have it, as far as they were asked. */
  | { readonly _tag: "Unknown"; readonly isAsked: boolean }
  | { readonly _tag: "Found"; readonly detail: ContractDetail; readonly isFresh: boolean }

/** Whether the service could answer: asking it where it cannot would only repeat what the state says already. */
const canAsk = (state: AppState | null): boolean => state?.connection._tag === "Ready"

export const useContract = (
  id: number,
  state: AppState | null,
): { readonly known: Known; readonly asking: Action<ContractDetail | null>; readonly ask: () => void } => {
  const background = useBackground()
  const [known, setKnown] = useState<Known>({ _tag: "Looking" })
  const asking = useAction<ContractDetail | null>((detail) =>
    setKnown(detail === null ? { _tag: "Unknown", isAsked: true } : { _tag: "Found", detail, isFresh: true }),
  )
  const ask = (): void => asking.run(() => background.ask({ type: "page.contract", id, refresh: true }))

  useEffect(() => {
    let isWanted = true
    void background
      .ask({ type: "page.contract", id, refresh: false })
      .catch(() => null)
      .then((answer: ContractDetail | UserError | null) => {
        if (!isWanted) return
        setKnown(
          answer === null || "_tag" in answer
            ? { _tag: "Unknown", isAsked: false }
            : { _tag: "Found", detail: answer, isFresh: false },
        )
      })
    return () => {
      isWanted = false
    }
  }, [background, id])

  const mayAsk = canAsk(state)
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current || !mayAsk || known._tag === "Looking") return
    hasAsked.current = true
    const isOld = known._tag === "Unknown" || Date.now() - Date.parse(known.detail.seenAt) > freshMillis
    if (isOld) ask()
  }, [mayAsk, known])
  return { known, asking, ask }
}
