/** The saved contracts: their number and age, reading them again now, the interval and time of the next automatic read, and notifications. */
import type { ComponentChildren } from "preact"
import type { MessageName } from "../../BrowserNames.ts"
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { useChange } from "../state/Live.ts"
import type { StateProps } from "../state/Live.ts"
import { number, text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { SyncLine } from "../sync/SyncProgress.tsx"
import { Notify } from "./Notify.tsx"
import { Section } from "../kit/Frame.tsx"
import { useState } from "preact/hooks"
import { useProtection } from "../state/Protection.ts"
import { Button } from "../kit/Button.tsx"

/** Whether the browser may delete saved data when space is low, what would be lost, and a button that asks the browser not to. */
const Protect = () => {
  const { ask, isAsking, protection } = useProtection()
  const [isAsked, setAsked] = useState(false)
  const isRefused = isAsked && !isAsking && protection === "unprotected"
  return (
    <div class="part protect">
      <h3>{text("protectTitle")}</h3>
      <p role="status">
        {protection === "protected"
          ? text("protectYes")
          : protection === "unknown"
            ? text("protectUnknown")
            : protection === "unprotected"
              ? `${isRefused ? `${text("protectDenied")} ` : ""}${text("protectNo")}`
              : null}
      </p>
      {protection === "unprotected" ? (
        <p class="form-end">
          <Button
            disabled={isAsking}
            onClick={() => {
              setAsked(true)
              ask()
            }}
          >
            {text(isAsking ? "protectAsking" : "protectAsk")}
          </Button>
        </p>
      ) : null}
    </div>
  )
}

/** Selectable minutes between syncs. A value that was set elsewhere is offered too. */
const intervals = [15, 30, 60, 180, 360, 720, 1_440]

/** The labels for checks of the first page, by what its order shows. If it shows everything, the check is an ordinary sync. */
const checks = {
  new: { last: "factNew", next: "factNextNew", step: "stepNew" },
  changes: { last: "factChanges", next: "factNextChanges", step: "stepChanges" },
} as const

const checkOf = ({ head }: AppState["index"]) =>
  head === null || head.order === "all" ? null : checks[head.order]

const Fact = ({ name, children }: { readonly name: MessageName; readonly children: ComponentChildren }) => (
  <div>
    <dt>{text(name)}</dt>
    <dd>{children}</dd>
  </div>
)

const Past = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time dateTime={at} title={Age.moment(at)}>
    {Age.age(at, now, "long")}
  </time>
)

/** When the next automatic read happens. */
const Next = ({ at, now }: { readonly at: string | null; readonly now: number }) =>
  at === null ? (
    text("nextAsked")
  ) : (
    <time dateTime={at} title={Age.moment(at)}>
      {Age.remaining(at, now) ?? text("nextNow")}
    </time>
  )

const Facts = ({ state, now }: { readonly state: AppState; readonly now: number }) => {
  const { completedAt, contracts, head, rejected, listings } = state.index
  const check = checkOf(state.index)
  if (completedAt === null && contracts === 0) return <p class="empty">{text("contractsEmpty")}</p>
  return (
    <dl class="facts">
      <Fact name="factContracts">{number(contracts)}</Fact>
      <Fact name="factListings">{number(listings)}</Fact>
      <Fact name="factAge">
        {completedAt === null ? text("factNever") : <Past at={completedAt} now={now} />}
      </Fact>
      <Fact name="factNext">
        <Next at={state.next.complete} now={now} />
      </Fact>
      {check === null || head === null ? null : (
        <>
          {head.readAt === null ? null : (
            <Fact name={check.last}>
              <Past at={head.readAt} now={now} />
            </Fact>
          )}
          <Fact name={check.next}>
            <Next at={state.next.head} now={now} />
          </Fact>
        </>
      )}
      {rejected === 0 ? null : <Fact name="factRejected">{number(rejected)}</Fact>}
    </dl>
  )
}

export const Contracts = ({
  state,
  now,
  onState,
}: StateProps & {
  readonly now: number
}) => {
  const action = useChange(onState)
  const { settings, connection, sync } = state
  const chosen = settings.refreshMinutes
  const offered = [...new Set([...intervals, ...(chosen === null ? [] : [chosen])])].toSorted((a, b) => a - b)
  const check = checkOf(state.index)
  const isReady = connection._tag !== "NoAddress" && connection._tag !== "NoKey"
  return (
    <Section id="contracts" intro={text("optionsContractsIntro")}>
      <div class="part">
        <Facts state={state} now={now} />
        {sync._tag === "Syncing" ? (
          <SyncLine sync={sync} now={now} onStop={() => action.ask({ type: "page.stopSync" })} />
        ) : (
          <p class="form-end">
            <Button disabled={!isReady || action.isBusy} onClick={() => action.ask({ type: "page.sync" })}>
              {text("stepSync")}
            </Button>
            {check === null ? null : (
              <Button
                disabled={!isReady || action.isBusy}
                onClick={() => action.ask({ type: "page.readHead" })}
              >
                {text(check.step)}
              </Button>
            )}
            {state.index.contracts === 0 ? null : (
              <a class="button" href="/export.html">
                {text("optionsExport")}
              </a>
            )}
          </p>
        )}
        <ErrorNotice error={action.error} />
      </div>
      <div class="part">
        <div class="entry">
          <label class="entry-name" for="interval">
            {text("intervalLabel")}
          </label>
          <select
            id="interval"
            class="entry-box"
            value={chosen === null ? "" : String(chosen)}
            onChange={({ currentTarget: { value } }) =>
              action.ask({
                type: "page.setSettings",
                settings: { refreshMinutes: value === "" ? null : Number(value) },
              })
            }
          >
            {offered.map((minutes) => (
              <option key={minutes} value={String(minutes)}>
                {Age.intervalName(minutes)}
              </option>
            ))}
            <option value="">{text("everyNever")}</option>
          </select>
          <p class="entry-hint">{text("intervalHint")}</p>
        </div>
      </div>
      <Notify />
      <Protect />
    </Section>
  )
}
