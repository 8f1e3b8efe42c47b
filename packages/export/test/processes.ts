/** Ids of processes that run and that do not, for what a run leaves to others. */
import { spawnSync } from "node:child_process"

/** Of a process that has ended. */
export const dead = (): number => spawnSync(process.execPath, ["--version"]).pid

/** Of a process that runs and is not this one. */
export const living = process.ppid
