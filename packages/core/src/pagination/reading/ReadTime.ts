/**
 * When a read took place: from its first request to its last answer, and the pause before it was resumed. Times of records are compared with
 * the service's clock where its answers have one.
 */
import type { Checkpoint } from "../Checkpoint.ts"
import type { Resumption } from "../Completeness.ts"
import { sortKeyOf } from "../../model/Timestamp.ts"
import type { Answer } from "../../call/Caller.ts"
import type { RawPage } from "../../answer/envelope.ts"

/**
 * Epoch milliseconds of a `Date` header; null if it is absent or unreadable, or 1,900 years off: the times that it is compared with have years
 * of four digits.
 */
export const millisOf = (date: string | null): number | null => {
  // `Date.parse` reads null as the text `null`, which is not a date.
  const millis = Date.parse(date!)
  return Math.abs(millis) < 6e13 ? millis : null
}

export class ReadTime {
  /** The last answer, ISO 8601 UTC. */
  endedAt: string
  resumed: Resumption | null

  constructor(startedAt: string, from: Checkpoint | null) {
    this.endedAt = from?.summary.endedAt ?? startedAt
    this.resumed = from?.summary.resumed ?? null
  }

  /** Resumes the read. `records`: those returned before. `mayRepeat`: not all ids that were returned are still known. */
  pause(resumedAt: string, records: number, mayRepeat: boolean): void {
    const before = this.resumed
    this.resumed = {
      pausedAt: before?.pausedAt ?? this.endedAt,
      resumedAt,
      records,
      changed: before?.changed ?? 0,
      mayRepeat: mayRepeat || (before?.mayRepeat ?? false),
    }
  }

  /** Notes when an answer came, and which of its records were created or updated during a pause. */
  take<A extends { readonly id: number }>({ answeredAt, serviceDate, value }: Answer<RawPage<A>>): void {
    this.endedAt = answeredAt
    const { resumed } = this
    if (resumed === null) return
    const service = millisOf(serviceDate)
    const skew = service === null ? 0 : service - Date.parse(answeredAt)
    const shifted = (at: string): number => Date.parse(at) + skew
    // Services give the time to the second, in `Date` and often in records, so the whole first and last seconds count as part of the pause.
    const from = sortKeyOf(Math.floor(shifted(resumed.pausedAt) / 1_000) * 1_000)
    const to = sortKeyOf(shifted(resumed.resumedAt) + 999)
    const isBetween = (at: string): boolean => at >= from && at <= to
    const { createdAt, updatedAt } = value.model
    const changed = value.valid.filter(
      (record) => isBetween(updatedAt(record)) || isBetween(createdAt(record)),
    )
    this.resumed = { ...resumed, changed: resumed.changed + changed.length }
  }
}
