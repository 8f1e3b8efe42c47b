/**
 * A complete read that listed far fewer contracts than are saved: its result, the saved contracts and their age, and the choice between the two. The
 * choice names the list that is shown, so that it is never applied to a later one.
 */
import type { AppState } from "../../messages/AppState.ts"
import type { Advice } from "../advice/Advice.ts"
import * as Age from "../kit/Age.ts"
import { useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { plural, text } from "../kit/Message.ts"
import { Notice, ErrorNotice } from "../advice/Notice.tsx"

type Choice = "keep" | "use"

/** The result of the read, in one line. */
export const titleOf = (contracts: number): string =>
  contracts === 0 ? text("smallerNone") : plural("smallerTitle", contracts)

const savedOf = ({ completedAt, contracts }: AppState["index"], now: number): string =>
  completedAt === null
    ? plural("smallerUnfinished", contracts)
    : plural("smallerSaved", contracts, Age.moment(completedAt), Age.age(completedAt, now, "long"))

export const SmallerList = ({
  state: { index },
  now,
  onState,
}: StateProps & {
  readonly now: number
}) => {
  const deciding = useChange(onState)
  const { smaller } = index
  if (smaller === null) return null
  const advice: Advice<Choice> = {
    tone: "problem",
    title: titleOf(smaller.contracts),
    body: `${savedOf(index, now)} ${text("smallerUntil")}`,
    steps: [
      { step: "keep", label: text("smallerKeep") },
      { step: "use", label: text("smallerUse") },
    ],
  }
  const decide = (choice: Choice): void =>
    deciding.ask({ type: "page.decideList", id: smaller.id, isUsed: choice === "use" })
  return (
    <section class="smaller" aria-label={advice.title}>
      <Notice advice={advice} onStep={decide} />
      <ErrorNotice error={deciding.error} />
    </section>
  )
}
