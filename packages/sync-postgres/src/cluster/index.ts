/** A mirror that many machines fill: `queue` puts accounts into a queue, `work` syncs what is in it. */
export { queue } from "./Queue.ts"
export type { QueuedNight } from "./Queue.ts"
export type { Queued } from "./Enqueue.ts"
export { work } from "./Worker.ts"
export type { WorkerEvent, WorkerOptions } from "./Worker.ts"
export type { QueueOptions } from "./Engine.ts"
