/** A mirror that many machines fill: `queue` puts accounts into a queue, `work` reads the accounts in it. */
export { queue } from "./Queue.ts"
export type { Queued, QueuedNight, QueueOptions, QueueState } from "./Queue.ts"
export { work } from "./Worker.ts"
export type { NightSum, WorkerEvent, WorkerOptions, WorkOptions } from "./Worker.ts"
