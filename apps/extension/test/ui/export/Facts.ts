/** A worker that the test plays: it describes two small tables, and says the rest when it is told to. */
import type {
  ExportFacts,
  ExportNotice,
  TableFacts,
  WorkerRequest,
} from "../../../src/export/ExportMessage.ts"
import { formats } from "../../../src/export/Formats.ts"
import type { StartWorker } from "../../../src/ui/export/Worker.ts"

export const tables: TableFacts = {
  contracts: [
    { name: "id", label: "Contract", kind: "integer", isUsual: true },
    { name: "status", label: "Status", kind: "text", isUsual: true },
    { name: "updated_at", label: "Updated (UTC)", kind: "timestamp", isUsual: true },
    { name: "extra", label: "Other members (JSON)", kind: "json", isUsual: false },
  ],
  keys: [
    { name: "id", label: "Key", kind: "integer", isUsual: true },
    { name: "name", label: "Name", kind: "text", isUsual: true },
    { name: "revoked", label: "Revoked", kind: "boolean", isUsual: false },
  ],
}

export const facts: ExportFacts = { tables, formats }

export interface FakeWorkers {
  readonly start: StartWorker
  /** What was asked for, descriptions apart. */
  readonly requests: ReadonlyArray<WorkerRequest>
  /** Says something as the worker that runs now. */
  readonly say: (notice: ExportNotice) => void
  readonly break: () => void
  /** Workers that run. */
  readonly running: () => number
}

export const make = (refuse: string | null = null): FakeWorkers => {
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
      running.add(worker)
      const tell = (notice: ExportNotice): void => {
        if (running.has(worker)) onNotice(notice)
      }
      say = tell
      breakDown = onBroken
      return {
        post: (request) => {
          if (request._tag === "Describe") return queueMicrotask(() => tell({ _tag: "Described", ...facts }))
          requests.push(request)
          if (request._tag !== "Check") return
          queueMicrotask(() =>
            tell(
              refuse === null
                ? { _tag: "Checked" }
                : { _tag: "Failed", failure: { _tag: "ChoiceInvalid", message: refuse } },
            ),
          )
        },
        end: () => void running.delete(worker),
      }
    },
  }
}
