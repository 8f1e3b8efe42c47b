/** A walk of a few pages that can be recorded and gone through again, and that says which pages it asked for. */
import { Fixtures } from "@deedkit/core/testing"
import type { Page } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Job, JobSpec, WalkOptions } from "../src/Job.ts"
import { job } from "../src/Job.ts"
import type { Table } from "../src/Table.ts"
import type { PageOptions, Row } from "./walk.ts"
import { page, rows } from "./walk.ts"

/** The ids of each page. */
export type Ids = ReadonlyArray<ReadonlyArray<number>>

export interface WalkChoice {
  readonly table?: Table<Row>
  /** Numbers of the pages that were asked for are added to it. */
  readonly asked?: Array<number>
  /** The page, from 1, that cannot be had. */
  readonly failsAt?: number | undefined
  readonly completePage?: JobSpec<Row, typeof offline, never>["completePage"]
  /** What comes with each page besides its ids. */
  readonly more?: PageOptions
}

/** How a page that cannot be had fails. */
export const offline = "offline" as const

const pageAt = (ids: Ids, number: number, more: PageOptions): Page<Row> => {
  const complete = number === ids.length
  const given = page(ids[number - 1] ?? [], { ...more, number, complete })
  const recorded = Fixtures.recordedPage(JSON.stringify(ids[number - 1]), { requests: number })
  return { ...given, recorded }
}

/** Pages from a recording first, and on from there. */
const walkOf =
  (ids: Ids, { asked = [], failsAt, more = {} }: WalkChoice = {}) =>
  ({ record, recording }: WalkOptions): Stream.Stream<Page<Row>, typeof offline> => {
    let number = 0
    const next = Effect.gen(function* () {
      number += 1
      const known = recording === undefined ? null : yield* recording.next
      if (known !== null) {
        const kept: ReadonlyArray<number> = JSON.parse(known.body)
        return pageAt(ids.with(number - 1, kept), number, more)
      }
      asked.push(number)
      if (number === failsAt) return yield* Effect.fail(offline)
      const { recorded, ...unrecorded } = pageAt(ids, number, more)
      return record && recorded !== undefined ? { ...unrecorded, recorded } : unrecorded
    })
    return Stream.fromIterable(ids).pipe(
      Stream.rechunk(1),
      Stream.mapEffect(() => next),
    )
  }

/** A job of such a walk. */
export const jobOf = (ids: Ids, choice: WalkChoice = {}): Job<typeof offline, never> =>
  job({ table: choice.table ?? rows, pages: walkOf(ids, choice), completePage: choice.completePage })
