/** Whether the process that wrote a file still runs. A process of another machine counts as running. */
import { hostname } from "node:os"

export const isRunning = ({ host, pid }: { readonly host: string; readonly pid: number }): boolean => {
  if (host !== hostname()) return true
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}
