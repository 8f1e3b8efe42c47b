/** Whether the process that left something behind still runs. On another machine nobody can tell, so it counts as running. */
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
