/**
 * One run of the export page from the click to the file: contracts are read again if that is wanted, and the worker makes the file. It reports each phase and can be cancelled in any of them; then nothing remains.
 */
import type { Copied, Done, ExportNotice, ExportRequest, Progress } from "../../export/ExportMessage.ts"
import { actionError, exportFailures } from "../../failures/ActionFailure.ts"
import type { ExportReason } from "../../failures/ActionFailure.ts"
import type { AppState } from "../../messages/AppState.ts"
import type { UserError } from "../../messages/PageMessage.ts"
import * as Advice from "../advice/Advice.ts"
import type { Background } from "../state/Background.ts"
import { text } from "../kit/Message.ts"
import { titleOf } from "../sync/SmallerList.tsx"
import type { ExportWorker, StartWorker } from "./Worker.ts"

export type Phase =
  | { readonly _tag: "Idle" }
  /** The contracts are being read again; the state has the progress. */
  | { readonly _tag: "Syncing" }
  | { readonly _tag: "Making"; readonly progress: Progress | null }
  | { readonly _tag: "Made"; readonly done: Done }
  | { readonly _tag: "Copied"; readonly copied: Copied; readonly isOnClipboard: boolean }
  | { readonly _tag: "Failed"; readonly error: UserError }

type Wish = Omit<ExportRequest, "origin" | "profile" | "language" | "madeBy">

export interface Surroundings {
  readonly background: Background
  readonly startWorker: StartWorker
  readonly copy: (text: string) => Promise<void>
  readonly madeBy: string
  readonly tell: (phase: Phase) => void
}

export interface Run {
  /** `isFresh` if all contracts are to be read again first. */
  readonly start: (wish: Wish, isFresh: boolean, state: AppState) => void
  /** Takes each new state, which shows when an awaited sync ends. With that of another account, nothing of the run remains. */
  readonly follow: (state: AppState) => void
  /** Puts the rows on the clipboard, after a click if the browser requires one. */
  readonly copyAgain: (copied: Copied) => void
  readonly cancel: () => void
}

/** Milliseconds within which a requested sync must begin. */
const syncBeginsWithin = 10_000

const failed = (message: string, advice: string): Phase => ({
  _tag: "Failed",
  error: { _tag: "UserError", message, advice },
})

const failedBy = (reason: ExportReason): Phase => {
  const [headline, advice] = exportFailures[reason]
  return failed(text(headline), text(advice))
}

/** A sync that the run waits for. */
interface Waited {
  readonly completedAt: string | null
  /** Whether the sync was started for this export and is stopped with it. */
  readonly isOwn: boolean
  hasBegun: boolean
  readonly resume: () => void
  readonly timer: ReturnType<typeof setTimeout>
}

export const make = ({ background, copy, madeBy, startWorker, tell }: Surroundings): Run => {
  let worker: ExportWorker | null = null
  let waited: Waited | null = null
  /** The account that is exported, or was; null before the first run. */
  let account: string | null = null
  /** Counts runs, so that an answer for a cancelled run is dropped. */
  let run = 0

  const clear = (): void => {
    run += 1
    worker?.end()
    worker = null
    if (waited !== null) clearTimeout(waited.timer)
    waited = null
  }
  const end = (phase: Phase): void => {
    clear()
    tell(phase)
  }
  const noAnswer = (): void => end({ _tag: "Failed", error: actionError(text, "NoAnswer") })

  const putOnClipboard = (copied: Copied): void => {
    const own = run
    const told = (isOnClipboard: boolean) => (): void => {
      if (own === run) end({ _tag: "Copied", copied, isOnClipboard })
    }
    copy(copied.text).then(told(true), told(false))
  }

  const makeFile = (request: ExportRequest, of: string): void => {
    const own = run
    tell({ _tag: "Making", progress: null })
    const onNotice = (notice: ExportNotice): void => {
      if (own !== run) return
      switch (notice._tag) {
        case "Preview":
          return
        case "Progress":
          return tell({ _tag: "Making", progress: notice })
        case "Done":
          return end({ _tag: "Made", done: notice })
        case "Copied":
          return putOnClipboard(notice)
        case "Failed":
          return end(failedBy(notice.failure))
      }
    }
    const onBroken = (): void => {
      if (own === run) end(failedBy("Unexpected"))
    }
    worker = startWorker(onNotice, onBroken, of)
    worker.post({ _tag: "Make", request })
  }

  const waitForSync = (state: AppState, resume: () => void): void => {
    const own = run
    const isOwn = state.sync._tag === "Idle"
    tell({ _tag: "Syncing" })
    const late = (): void => end(failedBy("SyncNotStarted"))
    const timer = setTimeout(late, syncBeginsWithin)
    waited = { completedAt: state.index.completedAt, isOwn, hasBegun: false, resume, timer }
    background.ask({ type: "page.sync" }).then(
      (answer) => {
        if (own === run) follow(answer)
      },
      () => {
        if (own === run) noAnswer()
      },
    )
  }

  /** A state that was assembled at the wrong moment can make a sync look as if it had stopped, so the state is checked once more. */
  const lookAgain = (): void => {
    const own = run
    background.ask({ type: "page.state" }).then(
      (state) => {
        if (own === run) judge(state, true)
      },
      () => {
        if (own === run) noAnswer()
      },
    )
  }

  const judge = (state: AppState, isSure: boolean): void => {
    if (account !== null && state.account !== account) {
      account = null
      return end({ _tag: "Idle" })
    }
    if (waited === null) return
    const { completedAt, resume, hasBegun, timer } = waited
    if (state.index.completedAt !== completedAt) {
      clearTimeout(timer)
      waited = null
      return resume()
    }
    if (state.sync._tag === "Syncing") {
      clearTimeout(timer)
      waited.hasBegun = true
      return
    }
    if (!hasBegun && state.connection._tag === "Ready") return
    if (!isSure) return lookAgain()
    const stopped = Advice.of(state, Date.now())
    const { smaller } = state.index
    if (stopped === null && smaller !== null) {
      return end(failed(titleOf(smaller.contracts), text("exportSmallerAdvice")))
    }
    if (stopped === null) return end(failedBy("SyncStopped"))
    end(failed(stopped.title, stopped.body))
  }
  const follow = (state: AppState): void => judge(state, false)

  return {
    start: (wish, isFresh, state) => {
      clear()
      account = state.account
      const name = state.accounts.find(({ id }) => id === state.account)?.name ?? ""
      const profile = name === "" ? null : name
      const language = text("language")
      const request = { ...wish, origin: state.baseUrl ?? "", profile, language, madeBy }
      const make = (): void => makeFile(request, state.account)
      if (isFresh) waitForSync(state, make)
      else make()
    },
    follow,
    copyAgain: putOnClipboard,
    cancel: () => {
      // Stops a sync only if it was started for this export, and not one that was already running.
      if (waited?.isOwn === true) void background.ask({ type: "page.stopSync" }).catch(() => {})
      end({ _tag: "Idle" })
    },
  }
}
