/**
 * The export page: which contracts and a preset for the file; below them the first rows, the two buttons and their result. It runs in a tab, because a popup would discard the
 * file when it closes. The worker does all the work.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { clipboard, estimate, presets } from "../../export/Presets.ts"
import type { AppState } from "../../messages/AppState.ts"
import { Icon } from "../kit/Icon.tsx"
import { Frame } from "../kit/Page.tsx"
import { useAppState, useBackground, useNow } from "../state/Live.ts"
import { number, plural, size, text } from "../kit/Message.ts"
import { ErrorNotice } from "../advice/Notice.tsx"
import { Busy } from "./Busy.tsx"
import { Choices } from "./Choices.tsx"
import { chosenOf, initial, requestOf } from "./Form.ts"
import type { Form } from "./Form.ts"
import { Made, OnClipboard } from "./Made.tsx"
import { Section } from "../kit/Section.tsx"
import * as Picked from "./Picked.ts"
import { Preview } from "./Preview.tsx"
import * as Run from "./Run.ts"
import type { StartWorker } from "./Worker.ts"
import { Button } from "../kit/Button.tsx"

export interface ExportPageProps {
  readonly madeBy: string
  readonly startWorker: StartWorker
  readonly copy: (text: string) => Promise<void>
}

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

const Loaded = ({ state, ...page }: ExportPageProps & { readonly state: AppState }) => {
  const background = useBackground()
  const now = useNow(1_000)
  const [form, setForm] = useState(() => initial(presets[0].name, Picked.read(location.hash, state.account)))
  const [phase, setPhase] = useState<Run.Phase>({ _tag: "Idle" })
  const outcome = useRef<HTMLDivElement>(null)
  const run = useMemo(
    () => Run.make({ background, tell: setPhase, ...page }),
    [background, page.copy, page.madeBy, page.startWorker],
  )
  useEffect(() => run.follow(state), [run, state])
  useEffect(() => () => run.cancel(), [run])
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
            startWorker={page.startWorker}
          />
          <Warning form={form} state={state} />
          {isEmpty ? <p class="form-loss">{text("exportEmpty")}</p> : null}
          <p class="form-end">
            <Button kinds="main" aria-disabled={isBusy} disabled={isEmpty} onClick={() => start(false)}>
              <Icon name="table" />
              {text("exportStart")}
            </Button>
            <Button aria-disabled={isBusy} disabled={isEmpty} onClick={() => start(true)}>
              <Icon name="copy" />
              {text("exportCopy")}
            </Button>
          </p>
          <p class="entry-hint">{text("exportCopyLimit", number(clipboard.rows), size(clipboard.bytes))}</p>
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
      </Section>
    </>
  )
}

export const ExportPage = (props: ExportPageProps) => {
  const [state] = useAppState()
  return (
    <Frame title="exportTitle" as="export-page" link={["/options.html", "exportToOptions"]}>
      {state === null ? null : <Loaded state={state} {...props} />}
    </Frame>
  )
}
