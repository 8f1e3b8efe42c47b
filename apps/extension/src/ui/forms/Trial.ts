/** The connection test as a page shows it: the stages that have ended so far, and whether it is still running. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { useBackground } from "../state/Live.ts"
import { stageNames } from "../state/TestWords.ts"
import type { TestStage } from "../state/TestWords.ts"

export type TrialState =
  | { readonly _tag: "NotRun" }
  | { readonly _tag: "Running"; readonly stages: ReadonlyArray<TestStage> }
  | { readonly _tag: "Ended"; readonly stages: ReadonlyArray<TestStage> }

export interface Trial {
  readonly state: TrialState
  readonly start: () => void
  readonly forget: () => void
}

/** The overall result of the stages. A test that was interrupted is neither good nor bad, but `cut`. */
export type Verdict = "ok" | "warning" | "failed" | "cut"

export const verdictOf = (stages: ReadonlyArray<TestStage>): Verdict => {
  if (stages.some(({ outcome }) => outcome === "failed")) return "failed"
  if (stages.length < stageNames.length) return "cut"
  return stages.some(({ outcome }) => outcome === "warning") ? "warning" : "ok"
}

export const useTrial = (): Trial => {
  const background = useBackground()
  const [state, setState] = useState<TrialState>({ _tag: "NotRun" })
  const giveUp = useRef<(() => void) | null>(null)

  const stop = useCallback(() => {
    giveUp.current?.()
    giveUp.current = null
  }, [])
  useEffect(() => stop, [stop])

  const start = useCallback(() => {
    stop()
    let isCurrent = true
    let stages: ReadonlyArray<TestStage> = []
    setState({ _tag: "Running", stages })
    const end = background.test(
      (stage) => {
        if (!isCurrent) return
        stages = [...stages, stage]
        setState({ _tag: "Running", stages })
      },
      () => {
        if (isCurrent) setState({ _tag: "Ended", stages })
      },
    )
    giveUp.current = () => {
      isCurrent = false
      end()
    }
  }, [background, stop])
  const forget = useCallback(() => {
    stop()
    setState({ _tag: "NotRun" })
  }, [stop])
  return { state, start, forget }
}
