/** The cost of a case in its process: processor time and wall time from a start, and peak memory. */
import { readFileSync } from "node:fs"

/**
 * Peak memory since the program began. The value of `resourceUsage` starts with the size of the parent process, so on Linux the memory of the program
 * alone is read from the system.
 */
export const peakRssMegabytes = (): number => {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : ""
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) / 1_024
}

export interface Meter {
  /** Prints a measurement as the process's last line. */
  readonly print: (counts: { readonly records: number; readonly bytes?: number }) => void
}

const millis = ({ system, user }: NodeJS.CpuUsage): number => (user + system) / 1_000

/** Starts to measure. Processor time is user and system time of all threads. `apart`, in milliseconds, is excluded from `processMillis`. */
export const start = (apart = 0): Meter => {
  const wallBefore = performance.now()
  const cpuBefore = process.cpuUsage()
  return {
    print: (counts) => {
      const measurement = {
        ...counts,
        cpuMillis: millis(process.cpuUsage(cpuBefore)),
        processMillis: millis(process.cpuUsage()) - apart,
        wallMillis: performance.now() - wallBefore,
        peakRssMegabytes: peakRssMegabytes(),
      }
      console.log(JSON.stringify(measurement))
    },
  }
}

/** Does the work and returns its processor time. */
export const timed = <A>(work: () => A): { readonly value: A; readonly cpuMillis: number } => {
  const before = process.cpuUsage()
  const value = work()
  return { value, cpuMillis: millis(process.cpuUsage(before)) }
}
