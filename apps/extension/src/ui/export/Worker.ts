/**
 * Starts the worker that makes an export. The extension's pages run only their own scripts: where the browser enforces this with trusted types, the
 * address of this worker is the only one that may be created, and its policy is the only one allowed.
 */
import type { ExportNotice, WorkerRequest } from "../../export/ExportMessage.ts"
import { default as address } from "../../export/worker.ts?worker&url"

export interface ExportWorker {
  readonly post: (request: WorkerRequest) => void
  /** Ends the worker at once and discards everything that it has not handed over. */
  readonly end: () => void
}

/** Starts a worker, which reads the records of one account. `onBroken` is called if it cannot run or fails. */
export type StartWorker = (
  onNotice: (notice: ExportNotice) => void,
  onBroken: () => void,
  account: string,
) => ExportWorker

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (given: string) => string },
  ) => { readonly createScriptURL: (given: string) => string }
}

/** The worker's address as the browser requires it: a trusted script URL if the browser supports trusted types, otherwise a text. */
const trusted = (() => {
  let made: string | null = null
  return (): string => {
    const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
    made ??=
      trustedTypes
        ?.createPolicy("deedkit", {
          createScriptURL: (given) => {
            if (given !== address) throw new TypeError("no other script")
            return given
          },
        })
        .createScriptURL(address) ?? address
    return made
  }
})()

export const start: StartWorker = (onNotice, onBroken, account) => {
  const worker = new Worker(trusted(), { type: "module", name: account })
  worker.addEventListener("message", ({ data }: MessageEvent<ExportNotice>) => onNotice(data))
  worker.addEventListener("error", onBroken)
  worker.addEventListener("messageerror", onBroken)
  return { post: (request) => worker.postMessage(request), end: () => worker.terminate() }
}
