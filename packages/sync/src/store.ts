/** The store of a mirror for a database of another kind. */
export { sqlStore } from "./SqlStore.ts"
export { schemaIn, schemaVersion, versionError } from "./Schema.ts"
export type { Database, Query, RowsStatement, StatementError, Transact, Value, Words } from "./Schema.ts"
export { hashOf, runOf, textOf } from "./RunRow.ts"
export type { Row } from "./RunRow.ts"
export type { RunPage } from "./MirrorStore.ts"
export { requireNames } from "./Account.ts"
export { syncError } from "./SyncError.ts"
