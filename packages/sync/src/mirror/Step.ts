/**
 * Decides what a record that was read changes in what a mirror holds of it: nothing, a newer text, or a new version. Pure: every store uses it, so
 * that all of them hold the same history.
 */
import type { ChangeKind, RecordVersion } from "./MirrorStore.ts"
import { changedMembers } from "./Version.ts"

/** The current row of a record. */
export interface Held {
  readonly version: number
  readonly hash: string
  readonly body: string
  readonly data: string | null
}

/** A record that was removed: the version of its removal, and its texts before; null if they were pruned. */
export interface Gone {
  readonly version: number
  readonly body: string | null
  readonly data: string | null
}

/** What to write. `change` is null if only the current row is updated, and no version is created. */
export interface Step {
  readonly change: Exclude<ChangeKind, "removed"> | null
  readonly version: number
  /** Members that differ from the version before. */
  readonly members: ReadonlyArray<string>
  /** The payload to keep: a read without payloads keeps the existing one. */
  readonly data: string | null
}

/**
 * Members that say how a record was used, not what it is. They are updated in the current row without a new version: each sync uses a key, and
 * would otherwise be a change of it.
 */
const unversioned: ReadonlySet<string> = new Set(["last_used_at"])

/** The members that differ. A payload that is read for the first time is not a change. */
const membersSince = (
  before: Pick<Held, "body" | "data">,
  { body, data }: RecordVersion,
): ReadonlyArray<string> => [
  ...changedMembers(before.body, body).filter((name) => !unversioned.has(name)),
  ...(data === null || before.data === null ? [] : changedMembers(before.data, data)),
]

/** The step for a record; null if the mirror already holds it as it was read. */
export const stepOf = (held: Held | null, gone: Gone | null, given: RecordVersion): Step | null => {
  if (held !== null) {
    const isData = given.data === null || given.data === held.data
    if (held.hash === given.hash && isData) {
      // A row whose text was changed in the mirror gets its original text again. The record itself has not changed.
      if (held.body === given.body) return null
      return { change: null, version: held.version, members: [], data: held.data }
    }
    const members = membersSince(held, given)
    const data = given.data ?? held.data
    return members.length === 0
      ? { change: null, version: held.version, members, data }
      : { change: "changed", version: held.version + 1, members, data }
  }
  if (gone === null) return { change: "added", version: 1, members: [], data: given.data }
  const { body, data, version } = gone
  const members = body === null ? [] : membersSince({ body, data }, given)
  return { change: "returned", version: version + 1, members, data: given.data ?? data }
}
