/** The connection test as a page shows it: its stages in plain words, each with its outcome, and the overall result. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
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

const names = {
  address: "stageAddress",
  tls: "stageTls",
  key: "stageKey",
  contracts: "stageContracts",
  cursor: "stageCursor",
  clock: "stageClock",
} as const

const outcomes = {
  ok: "outcomeOk",
  failed: "outcomeFailed",
  skipped: "outcomeSkipped",
  warning: "outcomeWarning",
  waiting: "outcomeWaiting",
} as const

const verdicts = {
  ok: "testOk",
  warning: "testWarning",
  failed: "testFailed",
  cut: "testCut",
} as const

const icons = {
  ok: "ok",
  failed: "failed",
  skipped: "skipped",
  warning: "warning",
  waiting: "wait",
} as const

const Stage = ({ name, stage }: { readonly name: TestStage["stage"]; readonly stage: TestStage | null }) => {
  const outcome = stage?.outcome ?? "waiting"
  return (
    <li class="stage" data-outcome={outcome}>
      <Icon name={icons[outcome]} />
      <div>
        <p class="stage-name">
          {text(names[name])} <span class="unseen">{text(outcomes[outcome])}</span>
        </p>
        {stage === null ? null : (
          <p class="stage-words">
            <bdi>{stage.message.slice(0, 500)}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}

export const Stages = ({ trial }: { readonly trial: TrialState }) => {
  const stages = trial._tag === "NotRun" ? [] : trial.stages
  const verdict = trial._tag === "Ended" ? verdictOf(stages) : null
  return (
    <div class="stages">
      {trial._tag === "NotRun" ? null : (
        <ol>
          {stageNames.map((name) => {
            const stage = stages.find((known) => known.stage === name) ?? null
            return verdict === "cut" && stage === null ? null : <Stage key={name} name={name} stage={stage} />
          })}
        </ol>
      )}
      <p class="verdict" role="status" data-outcome={verdict ?? "waiting"}>
        {trial._tag === "Running" ? text("testRunning") : verdict === null ? null : text(verdicts[verdict])}
      </p>
    </div>
  )
}
