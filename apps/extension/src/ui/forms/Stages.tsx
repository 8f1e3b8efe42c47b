/** The stages of the connection test in plain words, each with its outcome, and the overall result. */
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
import { stageNames } from "../state/TestWords.ts"
import type { TestStage } from "../state/TestWords.ts"
import { verdictOf } from "./Trial.ts"
import type { TrialState } from "./Trial.ts"

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
