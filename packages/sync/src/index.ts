/** A mirror of many accounts: `syncAccount` fills it, `sqliteStore` holds it in a file. */
export { changedMembers, valueAt } from "./Version.ts"
export { isComplete } from "./RunRow.ts"
export type {
  AccountRow,
  AccountStatus,
  Change,
  HeldList,
  Kept,
  ListChanges,
  ListStatus,
  MirrorStore,
  Snapshot,
  SnapshotOptions,
} from "./MirrorStore.ts"
export type { ChangeKind } from "./Version.ts"
export type { Collection, RunRow } from "./RunRow.ts"
export { backup } from "./Backup.ts"
export type { Backup, BackupOptions } from "./Backup.ts"
export { sqliteStore } from "./Sqlite.ts"
export type { SqliteOptions } from "./Sqlite.ts"
export { noteUnopened, retryMinutes, syncAccount } from "./SyncAccount.ts"
export type { SyncOptions } from "./SyncAccount.ts"
export { verifyAccount } from "./Verify.ts"
export type { Difference, Verified, VerifyOptions } from "./Verify.ts"
export { SyncError } from "./SyncError.ts"
export type { Reason, ReasonTag } from "./SyncError.ts"
