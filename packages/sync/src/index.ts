/** A mirror of many accounts: `syncAccount` fills it, `sqliteStore` holds it in a file. */
export { changedMembers, valueAt } from "./mirror/Version.ts"
export { isComplete } from "./mirror/MirrorStore.ts"
export type {
  AccountRow,
  AccountStatus,
  Change,
  ChangeKind,
  Collection,
  ListChanges,
  ListStatus,
  MirrorStore,
  RunRow,
} from "./mirror/MirrorStore.ts"
export { sqliteStore } from "./sqlite/SqliteStore.ts"
export type { SqliteOptions } from "./sqlite/SqliteStore.ts"
export { syncAccount } from "./account/Sync.ts"
export type { SyncOptions } from "./account/Sync.ts"
export { verifyAccount } from "./account/Verify.ts"
export type { Difference, Verified, VerifyOptions } from "./account/Verify.ts"
export { SyncError } from "./mirror/SyncError.ts"
export type { Reason, ReasonTag } from "./mirror/SyncError.ts"
