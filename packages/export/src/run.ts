/** The entry for runs that write files. Needs Node; the rest of the package does not. */
export { run } from "./ExportRun.ts"
export type { ExportResult, RunOptions } from "./ExportRun.ts"
export type { QuarantineLimits } from "./Quarantine.ts"
export type { RejectsSummary } from "./Rejects.ts"
