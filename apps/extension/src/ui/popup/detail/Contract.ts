/**
 * One contract while it is shown: first from the index, then as the service has it now. The data from the index stays visible whatever the service
 * answers.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../../messages/AppState.ts"
import type { ContractDetail } from "../../../messages/PageMessage.ts"
import type { UserError } from "../../../messages/UserError.ts"
import { useAction, useBackground } from "../../state/Live.ts"
import type { Action } from "../../state/Live.ts"

/** An answer of the service that is younger than this is not requested again automatically. */
const freshMillis = 60_000

export type Known =
  | { readonly _tag: "Looking" }
  /** Neither the index nor the service has it, as far as they were queried. */
  | { readonly _tag: "Unknown"; readonly isAsked: boolean }
  | { readonly _tag: "Found"; readonly detail: ContractDetail; readonly isFresh: boolean }

/** Whether the service can answer. Otherwise a request would only repeat the problem that the state already shows. */
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
