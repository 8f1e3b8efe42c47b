/**
 * The list of changes: contracts that are new, changed or gone, the latest first, since the list was last viewed or since the last complete sync. It
 * shows what a status or a kind was before, and the names of other changed members: one click opens the contract itself.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { AppState, Change, ChangesAnswer } from "../../../messages/AppState.ts"
import * as Age from "../../kit/Age.ts"
import { IconButton } from "../../kit/Button.tsx"
import { number, text, worded } from "../../kit/Message.ts"
import { labelOf } from "../detail/Record.ts"
import { Cut, longestStatus, Moment } from "../detail/Words.tsx"
import { useChanges, useFocus } from "./Visits.ts"
import * as Visits from "./Visits.ts"

const times = ["visit", "complete", "all"] as const
type Since = (typeof times)[number]

const timeNames = { visit: "changesVisit", complete: "changesComplete", all: "changesAll" } as const
const kindNames = { new: "changeNew", changed: "changeChanged", gone: "changeGone" } as const

/** Most changed members that a line has room for; of more, some are named and the others counted. */
const mostNamed = 4

const chosenOf = (answer: ChangesAnswer, since: Since, seenTo: number, completedAt: string | null) =>
  since === "visit"
    ? Visits.since(answer, seenTo)
    : since === "all"
      ? answer.changes
      : answer.changes.filter(({ at }) => at > (completedAt ?? ""))

/** Changes of watched contracts first, otherwise in the given order. */
const inOrder = (changes: ReadonlyArray<Change>, watched: ReadonlySet<number>): ReadonlyArray<Change> =>
  changes.toSorted((one, other) => Number(watched.has(other.id)) - Number(watched.has(one.id)))

const Row = ({
  change,
  isWatched,
  now,
}: {
  readonly change: Change
  readonly isWatched: boolean
  readonly now: number
}) => {
  const { at, fields, id, kind, title, unit, words = {} } = change
  const others = fields.filter((name) => !Object.hasOwn(words, name))
  const names = others.map((name) => labelOf(name) ?? name)
  const named =
    names.length <= mostNamed
      ? names.join(", ")
      : `${names.slice(0, mostNamed - 1).join(", ")} +${number(names.length - mostNamed + 1)}`
  return (
    <>
      <span class="change-kind" data-kind={kind}>
        {text(kindNames[kind])}
      </span>
      <span class="change-words">
        <Cut of={unit.trim() === "" ? text("noUnit") : unit} as="row-name" />
        <span class="change-more">
          <span dir="ltr">#{id}</span> {isWatched ? <b>{`${text("changeWatched")} `}</b> : null}
          {title === null ? null : <Cut of={title} as="change-title" />}
        </span>
        {Object.entries(words).map(([name, [before, after]]) => (
          <span key={name} class="change-more">
            {labelOf(name)}: <Cut of={worded(before)} as="" to={longestStatus} /> →{" "}
            <b>
              <Cut of={worded(after)} as="" to={longestStatus} />
            </b>
          </span>
        ))}
        {named === "" ? null : <Cut of={named} as="change-more" />}
      </span>
      <Moment of={at}>{Age.age(at, now, "narrow")}</Moment>
    </>
  )
}

export const Changes = ({
  state,
  now,
  onOpen,
  onBack,
}: {
  readonly state: AppState
  readonly now: number
  readonly onOpen: (id: number) => void
  readonly onBack: () => void
}) => {
  const { account } = state
  const hasFocus = useFocus()
  const answer = useChanges(state, hasFocus)
  const [since, setSince] = useState<Since>("visit")
  const head = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => head.current?.focus(), [])
  useEffect(() => {
    if (hasFocus && answer !== null && answer !== "failed") Visits.look(account, answer)
  }, [account, answer, hasFocus])
  const leave = (): void => {
    Visits.leave(account)
    onBack()
  }
  const known = answer === "failed" ? null : answer
  const seenTo = Visits.seenTo(account)
  const watched = new Set(state.watched.ids)
  const latest = known === null ? [] : chosenOf(known, since, seenTo, state.index.completedAt).toReversed()
  const shown = inOrder(latest, watched)
  const isCut = known !== null && known.last > known.changes.length && shown.length === known.changes.length
  return (
    <section
      class="changes"
      aria-labelledby="changes"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        leave()
      }}
    >
      <div class="changes-head">
        <IconButton icon="back" name={text("detailBack")} onPress={leave} />
        <h2 id="changes" ref={head} tabIndex={-1}>
          {text("changesTitle")}
        </h2>
        <label>
          <span class="unseen">{text("changesSince")}</span>
          <select
            value={since}
            onChange={({ currentTarget }) => setSince(times[currentTarget.selectedIndex] ?? "visit")}
          >
            {times.map((time) => (
              <option key={time} value={time} selected={time === since}>
                {text(timeNames[time])}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ul class="changes-list" aria-labelledby="changes" aria-busy={answer === null}>
        {shown.map((change, at) => (
          <li key={shown.length - at}>
            {change.kind === "gone" ? (
              <div class="change">
                <Row change={change} isWatched={watched.has(change.id)} now={now} />
              </div>
            ) : (
              <button type="button" class="change" onClick={() => onOpen(change.id)}>
                <Row change={change} isWatched={watched.has(change.id)} now={now} />
              </button>
            )}
          </li>
        ))}
      </ul>
      <p class="changes-end" role="status">
        {answer === "failed"
          ? text("changesFailed")
          : isCut
            ? text("changesKept", number(shown.length))
            : known !== null && shown.length === 0
              ? text("changesNone")
              : null}
      </p>
    </section>
  )
}
