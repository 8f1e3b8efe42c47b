/** A mirror of many accounts: `syncAccount` fills it, `sqliteStore` holds it in a file. */
export { changedMembers, valueAt } from "./mirror/Version.ts"
export { isComplete } from "./mirror/RunRow.ts"
export type {
  AccountRow,
  AccountStatus,
  Change,
  ChangeKind,
  ListChanges,
  ListStatus,
  MirrorStore,
} from "./mirror/MirrorStore.ts"
export type { Collection, RunRow } from "./mirror/RunRow.ts"
export type { Kept, Snapshot, SnapshotOptions } from "./mirror/Snapshot.ts"
export { sqliteStore } from "./sqlite/SqliteStore.ts"
export type { SqliteOptions } from "./sqlite/SqliteStore.ts"
export { noteUnopened, syncAccount } from "./account/Sync.ts"
export type { SyncOptions } from "./account/Sync.ts"
export { verifyAccount } from "./account/Verify.ts"
export type { Difference, Verified, VerifyOptions } from "./account/Verify.ts"
export { SyncError } from "./mirror/SyncError.ts"
export type { Reason, ReasonTag } from "./mirror/SyncError.ts"
