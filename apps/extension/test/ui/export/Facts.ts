/** A worker that the test plays: it shows two rows, and says the rest when it is told to. */
import type { ExportNotice, WorkerRequest } from "../../../src/export/ExportMessage.ts"
import type { StartWorker } from "../../../src/ui/export/Worker.ts"

export interface FakeWorkers {
  readonly start: StartWorker
  /** The files that were asked for, and the previews. */
  readonly requests: ReadonlyArray<WorkerRequest>
  /** Says something as the worker that runs now. */
  readonly say: (notice: ExportNotice) => void
  readonly break: () => void
  /** Workers that make a file. */
  readonly running: () => number
}

export const make = (): FakeWorkers => {
  const requests: Array<WorkerRequest> = []
  const running = new Set<object>()
  let say: (notice: ExportNotice) => void = () => {}
  let breakDown = (): void => {}
  return {
    requests,
    say: (notice) => say(notice),
    break: () => breakDown(),
    running: () => running.size,
    start: (onNotice, onBroken) => {
      const worker = {}
      let hasEnded = false
      const tell = (notice: ExportNotice): void => {
        if (!hasEnded) onNotice(notice)
      }
      return {
        post: (request) => {
          requests.push(request)
          if (request._tag === "Preview") {
            const rows = [["1"], ["2"]]
            return queueMicrotask(() => tell({ _tag: "Preview", headings: ["Contract"], rows }))
          }
          running.add(worker)
          say = tell
          breakDown = onBroken
        },
        end: () => {
          hasEnded = true
          running.delete(worker)
        },
      }
    },
  }
}
