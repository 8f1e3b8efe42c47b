/** A mirror that many machines fill, or that is filled every night: `queue` puts accounts into a queue, `work` syncs the accounts in it. */
export { queue } from "./Queue.ts"
export type { Queued, QueuedNight, QueueOptions } from "./Queue.ts"
export { work } from "./Worker.ts"
export type { WorkerEvent, WorkerOptions, WorkOptions } from "./Worker.ts"
export type { ServerQueue } from "./PostgresEngine.ts"
export type { FileQueue } from "./SqliteEngine.ts"
