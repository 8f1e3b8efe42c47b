/** The parts of a store of a mirror, for stores in other databases, and the queue of a mirror in a file. */
export { isComplete } from "./mirror/RunRow.ts"
export { missing } from "./mirror/Missing.ts"
export type { Holding } from "./mirror/Missing.ts"
export type {
  Caller,
  Ending,
  MirrorStore,
  RecordVersion,
  Run,
  RunPage,
  Sampled,
} from "./mirror/MirrorStore.ts"
export type { Identity } from "./mirror/Identity.ts"
export { ownership, refusal } from "./mirror/Ownership.ts"
export type { Owner } from "./mirror/Ownership.ts"
export {
  accountOf,
  changeOf,
  heldOf,
  holdingOf,
  keptOf,
  ownerOf,
  runOf,
  textOf,
  textOrNull,
} from "./mirror/Rows.ts"
export type { Row } from "./mirror/Rows.ts"
export { brokenAt, hashOf } from "./mirror/RunHash.ts"
export { proofOf, runAt, unknownAt } from "./mirror/Snapshot.ts"
export { openQueue, queueErrorOf } from "./sqlite/QueueFile.ts"
export type { QueueFile } from "./sqlite/QueueFile.ts"
export { stepOf } from "./mirror/Step.ts"
export type { Gone, Held, Step } from "./mirror/Step.ts"
export { syncError } from "./mirror/SyncError.ts"
