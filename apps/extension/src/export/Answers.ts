/** The worker's answers to each request of its page. Failures are reported by name; the page has their texts. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { preview, run, StorageFailed, TooMuchToCopy } from "./ExportJob.ts"
import type { ExportNotice, Failed, Progress, WorkerRequest } from "./ExportMessage.ts"
import type { IndexReader } from "./IndexReader.ts"

/** Milliseconds between two progress notices. */
const tellEvery = 100

type Post = (notice: ExportNotice) => void

const failureOf = (error: unknown): Failed["failure"] => {
  if (error instanceof TooMuchToCopy) return "TooMuchToCopy"
  if (error instanceof StorageFailed) return "Storage"
  return error instanceof RangeError ? "Memory" : "Unexpected"
}

/** Throttles progress notices. */
const nowAndThen = (post: Post): ((progress: Progress) => void) => {
  let toldAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const at = performance.now()
    if (at - toldAt < tellEvery) return
    toldAt = at
    post(progress)
  }
}

const outcome = async (work: Effect.Effect<ExportNotice, unknown>): Promise<ExportNotice> => {
  const exit = await Effect.runPromiseExit(work)
  return Exit.isSuccess(exit) ? exit.value : { _tag: "Failed", failure: failureOf(Cause.squash(exit.cause)) }
}

/** Answers a request. The last notice is the answer; those before it report progress. */
export const answer = async (request: WorkerRequest, reader: IndexReader, post: Post): Promise<void> => {
  switch (request._tag) {
    case "Preview":
      return post(await outcome(preview(request, reader)))
    case "Make":
      return post(await outcome(run(request.request, reader, nowAndThen(post))))
  }
}
