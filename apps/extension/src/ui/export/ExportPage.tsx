/**
 * The export page: which contracts and a preset for the file; below them the first rows, the two buttons and their result. It runs in a tab, because a popup would discard the
 * file when it closes. The worker does all the work.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { clipboard, estimate, presets } from "../../export/Presets.ts"
import type { AppState } from "../../messages/AppState.ts"
import { Icon } from "../kit/Icon.tsx"
import { Frame, Section } from "../kit/Frame.tsx"
import { useAppState, useBackground, useNow } from "../state/Live.ts"
import { number, plural, text } from "../kit/Message.ts"
import { size, Made, OnClipboard } from "./Made.tsx"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Busy } from "./Busy.tsx"
import { Choice } from "../forms/Choice.tsx"
import { Entry } from "../forms/Entry.tsx"
import * as Age from "../kit/Age.ts"
import { chosenOf, initial, requestOf } from "./Form.ts"
import type { Form } from "./Form.ts"
import * as Picked from "./Form.ts"
import { Preview } from "./Preview.tsx"
import * as Run from "./Run.ts"
import type { StartWorker } from "./Worker.ts"
import { Button } from "../kit/Button.tsx"

export interface ExportPageProps {
  readonly madeBy: string
  readonly startWorker: StartWorker
  readonly copy: (text: string) => Promise<void>
}

const lastRead = ({ completedAt, contracts }: AppState["index"], now: number): string =>
  completedAt === null
    ? plural("exportNeverRead", contracts)
    : plural("exportRead", contracts, Age.age(completedAt, now, "long"), Age.moment(completedAt))

/** What the page asks for: which contracts, how fresh they are, and a preset for the file. */
const Choices = ({
  form,
  state,
  now,
  onForm,
}: {
  readonly form: Form
  readonly state: AppState
  readonly now: number
  readonly onForm: (form: Form) => void
}) => (
  <>
    <Section id="what" title="contracts">
      <div class="part">
        {form.picked.length === 0 ? null : (
          <Choice
            name="which"
            label={text("exportWhich")}
            options={[
              { value: "picked", label: plural("exportPicked", form.picked.length) },
              { value: "all", label: text("exportAll") },
            ]}
            chosen={form.isAll ? "all" : "picked"}
            onChoose={(which) => onForm({ ...form, isAll: which === "all" })}
          />
        )}
        <Entry
          id="search"
          kind="code"
          label={text("exportSearch")}
          placeholder="status:active city:lisbon"
          hint={text("exportSearchHint")}
          value={form.search}
          onType={(search) => onForm({ ...form, search })}
        />
        <Choice
          name="fresh"
          label={text("exportFrom")}
          options={[
            { value: "index", label: text("exportAsRead"), meaning: lastRead(state.index, now) },
            { value: "fresh", label: text("exportFresh"), meaning: text("exportFreshMeaning") },
          ]}
          chosen={form.isFresh ? "fresh" : "index"}
          onChoose={(from) => onForm({ ...form, isFresh: from === "fresh" })}
        />
      </div>
    </Section>
    <Section id="file" title="exportFile">
      <div class="part">
        <Choice
          name="preset"
          label={text("exportFormat")}
          options={presets.map(({ label, meaning, name }) => ({
            value: name,
            label: text(label),
            meaning: text(meaning),
          }))}
          chosen={form.preset}
          onChoose={(preset) => onForm({ ...form, preset })}
        />
      </div>
    </Section>
  </>
)

/** A warning about a large export, shown before it starts. */
const Warning = ({ form, state }: { readonly form: Form; readonly state: AppState }) => {
  const preset = presets.find(({ name }) => name === form.preset)
  if (preset === undefined) return null
  const plan = estimate(chosenOf(form).ids?.length ?? state.index.contracts, preset)
  if (!plan.isMuch) return null
  return (
    <p class="form-loss">
      {plan.sheets === 1
        ? null
        : `${plural("exportManySheets", plan.sheets, number(preset.sheetRows ?? 0))} `}
      {text("exportMuch", size(plan.fileBytes), size(plan.memoryBytes))}
    </p>
  )
}

const Outcome = ({
  phase,
  state,
  now,
  run,
}: {
  readonly phase: Run.Phase
  readonly state: AppState
  readonly now: number
  readonly run: Run.Run
}) => {
  switch (phase._tag) {
    case "Idle":
    case "Failed":
      return null
    case "Made":
      return <Made done={phase.done} />
    case "Copied":
      return (
        <OnClipboard
          copied={phase.copied}
          isOnClipboard={phase.isOnClipboard}
          onCopy={() => run.copyAgain(phase.copied)}
        />
      )
    case "Syncing":
    case "Making":
      return <Busy phase={phase} state={state} now={now} onCancel={run.cancel} />
  }
}

const busy: ReadonlySet<Run.Phase["_tag"]> = new Set(["Syncing", "Making"])

/** The form of one account, and what becomes of it. */
const Loaded = ({
  phase,
  run,
  startWorker,
  state,
}: {
  readonly phase: Run.Phase
  readonly run: Run.Run
  readonly startWorker: StartWorker
  readonly state: AppState
}) => {
  const now = useNow(1_000)
  const [form, setForm] = useState(() => initial(presets[0].name, Picked.read(location.hash, state.account)))
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (phase._tag !== "Idle") outcome.current?.scrollIntoView?.({ block: "nearest" })
  }, [phase._tag])

  const isBusy = busy.has(phase._tag)
  const isEmpty = state.index.contracts === 0 && !form.isFresh
  // While a run is busy, the buttons keep the focus but do nothing.
  const start = (isCopy: boolean): void => {
    if (!isBusy) run.start(requestOf(form, isCopy, new Date()), form.isFresh, state)
  }
  return (
    <>
      <fieldset class="export-form" disabled={isBusy}>
        <legend class="unseen">{text("exportTitle")}</legend>
        <Choices form={form} state={state} now={now} onForm={setForm} />
      </fieldset>
      <Section id="make" title="exportMake">
        <div class="part">
          <Preview
            account={state.account}
            chosen={chosenOf(form)}
            preset={form.preset}
            revision={JSON.stringify(state.index)}
            startWorker={startWorker}
          />
          <Warning form={form} state={state} />
          {isEmpty ? <p class="form-loss">{text("exportEmpty")}</p> : null}
          <p class="entry-hint">{text("exportCopyLimit", number(clipboard.rows), size(clipboard.bytes))}</p>
        </div>
      </Section>
      <p class="form-end export-foot">
        <Button kinds="main" aria-disabled={isBusy} disabled={isEmpty} onClick={() => start(false)}>
          <Icon name="table" />
          {text("exportStart")}
        </Button>
        <Button aria-disabled={isBusy} disabled={isEmpty} onClick={() => start(true)}>
          <Icon name="copy" />
          {text("exportCopy")}
        </Button>
      </p>
      <div class={phase._tag === "Idle" ? "" : "section-body"}>
        <div ref={outcome} class="export-outcome" role="status">
          <Outcome phase={phase} state={state} now={now} run={run} />
        </div>
        <ErrorNotice error={phase._tag === "Failed" ? phase.error : null} />
      </div>
    </>
  )
}

export const ExportPage = (page: ExportPageProps) => {
  const background = useBackground()
  const [state] = useAppState()
  const [phase, setPhase] = useState<Run.Phase>({ _tag: "Idle" })
  const run = useMemo(
    () => Run.make({ background, tell: setPhase, ...page }),
    [background, page.copy, page.madeBy, page.startWorker],
  )
  useEffect(() => {
    if (state !== null) run.follow(state)
  }, [run, state])
  useEffect(() => () => run.cancel(), [run])
  return (
    <Frame title="exportTitle" as="export-page" link={["/options.html", "exportToOptions"]}>
      {state === null ? null : (
        <Loaded key={state.account} phase={phase} run={run} startWorker={page.startWorker} state={state} />
      )}
    </Frame>
  )
}
