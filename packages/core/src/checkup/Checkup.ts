/**
 * The checkup of a server: small requests through a client, its retries and its rate limiter, stage by stage. A surface chooses the stages and
 * gets the findings of each when they are known. An error of the service is a finding, so no stage fails.
 */
import * as Effect from "effect/Effect"
import type { Service } from "../client/PropertyClient.ts"
import type { Page } from "../pagination/Page.ts"
import type { Finding } from "./Finding.ts"
import type { Trial } from "./Trial.ts"

/** A page of either list. */
export type AnyPage = Page<{ readonly id: number }>

/** A checkup in progress: its client, and what its stages have tried and read so far. */
export interface Session {
  readonly client: Service
  readonly trials: Array<Trial>
  readonly pages: Array<AnyPage>
}

/** A part of a checkup. It has no findings if an earlier stage has shown that it cannot be judged. */
export type Stage = (session: Session) => Effect.Effect<ReadonlyArray<Finding>>

/** Begins a checkup. Sends nothing. */
export const begin = (client: Service): Session => ({ client, trials: [], pages: [] })

/** Runs stages one after the other, and calls `onFindings` after each. Fails only when `onFindings` does. */
export const run = <E>(
  session: Session,
  stages: ReadonlyArray<Stage>,
  onFindings: (findings: ReadonlyArray<Finding>) => Effect.Effect<void, E>,
): Effect.Effect<void, E> =>
  Effect.forEach(stages, (stage) => Effect.flatMap(stage(session), onFindings), { discard: true })
