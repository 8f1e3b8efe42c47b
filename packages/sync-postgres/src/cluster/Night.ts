/**
 * One account in one night: a workflow of one activity. Its progress is in the mirror, page by page, so the engine keeps two small messages about
 * it and no records. Its payload is stored in the database, so it names the account and holds no key.
 */
import type { RunRow } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Activity from "effect/workflow/Activity"
import * as Workflow from "effect/workflow/Workflow"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"

/** The sync of an account in a night. The same account and night are one execution, however often they are queued. */
export const Night = Workflow.make("SyncAccount", {
  payload: { account: Schema.String, night: Schema.String },
  error: Schema.String,
  idempotencyKey: ({ account, night }) => JSON.stringify([night, account]),
})

/** The type of the engine's entities that run it. */
export const entityType = `Workflow/${Night._tag}`

/** Does the work of a worker: syncs an account, or fails with the reason, which is stored. */
export type Work = (account: string) => Effect.Effect<ReadonlyArray<RunRow>, string>

/** Runs the executions that the engine gives to this worker. */
export const layer = (work: Work): Layer.Layer<never, never, WorkflowEngine> =>
  Night.toLayer(({ account }) =>
    Activity.make({ name: "sync", error: Schema.String, execute: Effect.asVoid(work(account)) }),
  )
