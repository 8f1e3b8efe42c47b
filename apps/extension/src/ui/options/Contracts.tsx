/** The contracts that were read: how many and how old, reading them again now, and how often it happens by itself. */
import type { AppState } from "../../messages/AppState.ts"
import * as Age from "../kit/Age.ts"
import { intervalName } from "../kit/Interval.ts"
import { useAction, useBackground } from "../state/Live.ts"
import { number, text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { SyncLine } from "../sync/SyncProgress.tsx"
import { Protect } from "./Protect.tsx"
import { Section } from "../kit/Section.tsx"

/** Minutes between syncs that can be chosen; one that was set elsewhere is offered too. */
const intervals = [15, 30, 60, 180, 360, 720, 1_440]

const Facts = ({ state, now }: { readonly state: AppState; readonly now: number }) => {
  const { completedAt, contracts, rejected, listings } = state.index
  if (completedAt === null && contracts === 0) return <p class="empty">{text("contractsEmpty")}</p>
  return (
    <dl class="facts">
      <div>
        <dt>{text("factContracts")}</dt>
        <dd>{number(contracts)}</dd>
      </div>
      <div>
        <dt>{text("factListings")}</dt>
        <dd>{number(listings)}</dd>
      </div>
      <div>
        <dt>{text("factAge")}</dt>
        <dd>
          {completedAt === null ? (
            text("factNever")
          ) : (
            <time dateTime={completedAt} title={Age.moment(completedAt)}>
              {Age.age(completedAt, now, "long")}
            </time>
          )}
        </dd>
      </div>
      {rejected === 0 ? null : (
        <div>
          <dt>{text("factRejected")}</dt>
          <dd>{number(rejected)}</dd>
        </div>
      )}
    </dl>
  )
}

export const Contracts = ({
  state,
  now,
  onState,
}: {
  readonly state: AppState
  readonly now: number
  readonly onState: (state: AppState) => void
}) => {
  const background = useBackground()
  const action = useAction(onState)
  const { settings, connection, sync } = state
  const chosen = settings.refreshMinutes
  const offered = [...new Set([...intervals, ...(chosen === null ? [] : [chosen])])].toSorted((a, b) => a - b)
  const isReady = connection._tag !== "NoAddress" && connection._tag !== "NoKey"
  return (
    <Section id="contracts" intro={text("optionsContractsIntro")}>
      <div class="part">
        <Facts state={state} now={now} />
        {sync._tag === "Syncing" ? (
          <SyncLine
            sync={sync}
            now={now}
            onStop={() => action.run(() => background.ask({ type: "page.stopSync" }))}
          />
        ) : (
          <p class="form-end">
            <button
              type="button"
              class="button"
              disabled={!isReady || action.isBusy}
              onClick={() => action.run(() => background.ask({ type: "page.sync" }))}
            >
              {text("stepSync")}
            </button>
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
              action.run(() =>
                background.ask({
                  type: "page.setSettings",
                  settings: { refreshMinutes: value === "" ? null : Number(value) },
                }),
              )
            }
          >
            {offered.map((minutes) => (
              <option key={minutes} value={String(minutes)}>
                {intervalName(minutes)}
              </option>
            ))}
            <option value="">{text("everyNever")}</option>
          </select>
          <p class="entry-hint">{text("intervalHint")}</p>
        </div>
      </div>
      <Protect />
    </Section>
  )
}
