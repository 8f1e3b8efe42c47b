/** The worker's answers to each request of its page. Failures are reported by name; the page has their texts. */
import type { Table } from "@deedkit/export"
import { apiKeys, contracts, ExportError } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Choice from "./Choice.ts"
import { formats } from "./Formats.ts"
import { run, StorageFailed, TooMuchToCopy } from "./ExportJob.ts"
import type {
  ColumnFacts,
  ExportNotice,
  ExportRequest,
  Failure,
  Progress,
  WorkerRequest,
} from "./ExportMessage.ts"
import type { IndexReader } from "./IndexReader.ts"

/** Milliseconds between two progress notices. */
const tellEvery = 100

type Post = (notice: ExportNotice) => void

const factsOf = ({ columns, onDemand }: Table.Table<never>): ReadonlyArray<ColumnFacts> => {
  const facts = (isUsual: boolean) => (column: Table.Table<never>["columns"][number]) => ({
    name: column.name,
    label: column.label,
    kind: column.kind,
    isUsual,
  })
  return [...columns.map(facts(true)), ...onDemand.map(facts(false))]
}

const failureOf = (error: unknown): Failure => {
  if (error instanceof ExportError.ExportError) return { _tag: "ChoiceInvalid", message: error.message }
  if (error instanceof TooMuchToCopy) return { _tag: "TooMuchToCopy" }
  if (error instanceof StorageFailed) return { _tag: "Storage" }
  return error instanceof RangeError ? { _tag: "Memory" } : { _tag: "Unexpected" }
}
const failed = (error: unknown): ExportNotice => ({ _tag: "Failed", failure: failureOf(error) })

const check = ({ choices, table }: Extract<WorkerRequest, { _tag: "Check" }>): ExportNotice => {
  const choice: Result.Result<unknown, ExportError.ExportError> =
    table === "keys" ? Choice.make(apiKeys, choices) : Choice.make(contracts, choices)
  return Result.isFailure(choice) ? failed(choice.failure) : { _tag: "Checked" }
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

const make = async (request: ExportRequest, reader: IndexReader, post: Post): Promise<ExportNotice> => {
  const exit = await Effect.runPromiseExit(run(request, reader, nowAndThen(post)))
  return Exit.isSuccess(exit) ? exit.value : failed(Cause.squash(exit.cause))
}

/** Answers a request. The last notice is the answer; those before it report progress. */
export const answer = async (request: WorkerRequest, reader: IndexReader, post: Post): Promise<void> => {
  switch (request._tag) {
    case "Describe":
      return post({
        _tag: "Described",
        tables: { contracts: factsOf(contracts), keys: factsOf(apiKeys) },
        formats,
      })
    case "Check":
      return post(check(request))
    case "Make":
      return post(await make(request.request, reader, post))
  }
}
