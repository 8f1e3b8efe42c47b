/**
 * Starts the worker that makes an export. The extension's pages run no script but their own: where the browser holds that by trusted types,
 * the address of this one worker is the only one that may be made, and the policy that makes it is the only one that there may be.
 */
import type { ExportNotice, WorkerRequest } from "../../export/ExportMessage.ts"
import { default as address } from "../../export/worker.ts?worker&url"

export interface ExportWorker {
  readonly post: (request: WorkerRequest) => void
  /** Ends it at once, and with it all that it has made and not handed over. */
  readonly end: () => void
}

/**
 * Starts a worker. `onBroken` is called when it cannot run, or stops by itself. Records are those of an account; one that reads none needs
 * no account.
 */
export type StartWorker = (
  onNotice: (notice: ExportNotice) => void,
  onBroken: () => void,
  account?: string,
) => ExportWorker

interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (given: string) => string },
  ) => { readonly createScriptURL: (given: string) => string }
}

/** The address as the browser wants it: a trusted one where it knows such, which takes the place of a text. */
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

export const start: StartWorker = (onNotice, onBroken, account = "") => {
  const worker = new Worker(trusted(), { type: "module", name: account })
  worker.addEventListener("message", ({ data }: MessageEvent<ExportNotice>) => onNotice(data))
  worker.addEventListener("error", onBroken)
  worker.addEventListener("messageerror", onBroken)
  return { post: (request) => worker.postMessage(request), end: () => worker.terminate() }
}
