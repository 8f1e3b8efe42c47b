/**
 * The export page: source, rows, columns and file; below them the two buttons and their result. It runs in a tab, because a popup would discard the
 * file when it closes. The worker does all the work.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import * as Limits from "../../export/Limits.ts"
import type { ExportFacts } from "../../export/ExportMessage.ts"
import type { AppState } from "../../messages/AppState.ts"
import { Icon, Mark } from "../kit/Icon.tsx"
import { useAppState, useBackground, useNow } from "../state/Live.ts"
import { number, plural, text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Busy } from "./Busy.tsx"
import { Columns } from "./Columns.tsx"
import { Conditions } from "./Conditions.tsx"
import { FilePart } from "./FilePart.tsx"
import { chosen, idsOf, initial, requestOf } from "./Form.ts"
import type { Form } from "./Form.ts"
import { Made, OnClipboard } from "./Made.tsx"
import { Part } from "./Part.tsx"
import * as Picked from "./Picked.ts"
import * as Run from "./Run.ts"
import { size } from "./Size.ts"
import { Source } from "./Source.tsx"
import type { StartWorker } from "./Worker.ts"

export interface ExportPageProps {
  readonly madeBy: string
  readonly startWorker: StartWorker
  readonly copy: (text: string) => Promise<void>
}

/** The available columns and formats, as the worker reports them; `null` before that, `"broken"` if the worker cannot run. */
const useFacts = (startWorker: StartWorker): ExportFacts | "broken" | null => {
  const [facts, setFacts] = useState<ExportFacts | "broken" | null>(null)
  useEffect(() => {
    const worker = startWorker(
      (notice) => {
        if (notice._tag !== "Described") return
        worker.end()
        setFacts(notice)
      },
      () => setFacts("broken"),
    )
    worker.post({ _tag: "Describe" })
    return () => worker.end()
  }, [startWorker])
  return facts
}

/** A warning about a large export, shown before it starts. */
const Warning = ({
  form,
  formats,
  state,
}: {
  readonly form: Form
  readonly formats: ExportFacts["formats"]
  readonly state: AppState
}) => {
  const format = formats.find(({ name }) => name === form.format)
  if (form.table === "keys" || format === undefined) return null
  const { columns, order } = chosen(form)
  const plan = Limits.estimate({
    rows: idsOf(form)?.length ?? state.index.contracts,
    columns: columns.filter(({ isChosen }) => isChosen).length,
    format,
    isOrdered: order !== "",
  })
  if (!plan.isMuch) return null
  return (
    <p class="form-loss">
      {plan.sheets === 1
        ? null
        : `${plural("exportManySheets", plan.sheets, number(format.sheetRows ?? 0))} `}
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
    case "Checking":
    case "Syncing":
    case "Asking":
    case "Making":
      return <Busy phase={phase} state={state} now={now} onCancel={run.cancel} />
  }
}

const busy: ReadonlySet<Run.Phase["_tag"]> = new Set(["Checking", "Syncing", "Asking", "Making"])

const Loaded = ({
  state,
  facts,
  ...page
}: ExportPageProps & { readonly state: AppState; readonly facts: ExportFacts }) => {
  const background = useBackground()
  const now = useNow(1_000)
  const [form, setForm] = useState(() => initial(facts, Picked.read(location.hash, state.account)))
  const [phase, setPhase] = useState<Run.Phase>({ _tag: "Idle" })
  const outcome = useRef<HTMLDivElement>(null)
  const run = useMemo(
    () => Run.make({ background, tell: setPhase, ...page }),
    [background, page.copy, page.madeBy, page.startWorker],
  )
  useEffect(() => run.follow(state), [run, state])
  // Locking the extension cancels a run.
  useEffect(() => () => run.cancel(), [run])
  useEffect(() => {
    if (phase._tag !== "Idle") outcome.current?.scrollIntoView?.({ block: "nearest" })
  }, [phase._tag])

  const isBusy = busy.has(phase._tag)
  const isEmpty = form.table === "contracts" && state.index.contracts === 0 && !form.isFresh
  const hasColumns = chosen(form).columns.some(({ isChosen }) => isChosen)
  // While a run is busy, the buttons keep the focus but do nothing.
  const start = (isCopy: boolean): void => {
    if (isBusy) return
    run.start(
      { request: requestOf(form, isCopy, new Date()), table: form.table, isFresh: form.isFresh },
      state,
    )
  }
  return (
    <>
      <fieldset class="export-form" disabled={isBusy}>
        <legend class="unseen">{text("exportTitle")}</legend>
        <Source form={form} state={state} now={now} onForm={setForm} />
        <Columns key={form.table} form={form} facts={facts.tables} onForm={setForm} />
        <Conditions form={form} facts={facts.tables} onForm={setForm} />
        <FilePart form={form} formats={facts.formats} onForm={setForm} />
      </fieldset>
      <Part id="make" title={text("exportMake")}>
        <div class="part">
          <Warning form={form} formats={facts.formats} state={state} />
          {isEmpty ? <p class="form-loss">{text("exportEmpty")}</p> : null}
          {hasColumns ? null : <p class="form-loss">{text("exportNoColumns")}</p>}
          <p class="form-end">
            <button
              type="button"
              class="button button-main"
              aria-disabled={isBusy}
              disabled={isEmpty || !hasColumns}
              onClick={() => start(false)}
            >
              <Icon name="table" />
              {text("exportStart")}
            </button>
            <button
              type="button"
              class="button"
              aria-disabled={isBusy}
              disabled={isEmpty || !hasColumns}
              onClick={() => start(true)}
            >
              <Icon name="copy" />
              {text("exportCopy")}
            </button>
          </p>
          <p class="entry-hint">
            {text("exportCopyLimit", number(Limits.clipboard.rows), size(Limits.clipboard.bytes))}
          </p>
        </div>
        <div ref={outcome} class="export-outcome" role="status">
          <Outcome phase={phase} state={state} now={now} run={run} />
        </div>
        <ErrorNotice
          error={
            phase._tag === "Failed"
              ? { _tag: "UserError", message: phase.message, advice: phase.advice }
              : null
          }
        />
      </Part>
    </>
  )
}

export const ExportPage = (props: ExportPageProps) => {
  const [state] = useAppState()
  const facts = useFacts(props.startWorker)
  return (
    <div class="page export-page">
      <header class="page-header">
        <Mark />
        <h1>{text("exportTitle")}</h1>
        <a class="page-link" href="/options.html">
          {text("exportToOptions")}
        </a>
      </header>
      <main class="page-main" aria-busy={state === null || facts === null}>
        {facts === "broken" ? (
          <ErrorNotice
            error={{
              _tag: "UserError",
              message: text("exportUnexpected"),
              advice: text("exportUnexpectedAdvice"),
            }}
          />
        ) : state === null || facts === null ? (
          <p class="quiet" role="status">
            {text("loading")}
          </p>
        ) : (
          <Loaded state={state} facts={facts} {...props} />
        )}
      </main>
    </div>
  )
}
