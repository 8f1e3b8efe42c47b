/** The parts of a store of a mirror, for stores in other databases, and the queue of a mirror in a file. */
export { brokenAt, hashOf, isComplete, missing } from "./RunRow.ts"
export type { Holding } from "./RunRow.ts"
export type { Ending, MirrorStore, Run, RunPage, Sampled } from "./MirrorStore.ts"
export type { Caller, Identity, Owner } from "./Ownership.ts"
export type { Gone, Held, RecordVersion, Step } from "./Version.ts"
export { ownership, refusal } from "./Ownership.ts"
export {
  accountOf,
  changeOf,
  heldListOf,
  heldOf,
  holdingOf,
  keptOf,
  lossOf,
  ownerOf,
  runOf,
  textOf,
  textOrNull,
} from "./Rows.ts"
export type { Row } from "./Rows.ts"
export { hashedColumns, schemaIn, schemaVersion, tables } from "./Schema.ts"
export type { Words } from "./Schema.ts"
export { isHeld } from "./Removals.ts"
export { held, loss } from "./Statements.ts"
export type { Dialect } from "./Statements.ts"
export { proofOf, runAt, unknownAt } from "./Snapshot.ts"
export { openQueue, queueErrorOf } from "./sqlite/QueueFile.ts"
export type { QueueFile } from "./sqlite/QueueFile.ts"
export { stepOf } from "./Version.ts"
export { requireNames } from "./AccountName.ts"
export { syncError } from "./SyncError.ts"
