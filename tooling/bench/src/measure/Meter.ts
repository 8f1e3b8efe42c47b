/** What a case costs its process: processor time from a start on, wall time, and the most memory that it ever held. */
import { readFileSync } from "node:fs"

/**
 * The peak since the program began. What `resourceUsage` says begins with the size of the process that started this one, so Linux is
 * asked for the memory of the program alone.
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

/** Starts to measure. Processor time is user and system, of all threads; `apart` is what no figure should hold, in milliseconds. */
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

/** Does the work, and says how much processor time it took. */
export const timed = <A>(work: () => A): { readonly value: A; readonly cpuMillis: number } => {
  const before = process.cpuUsage()
  const value = work()
  return { value, cpuMillis: millis(process.cpuUsage(before)) }
}
