/** The tool in a page: runs it there and in a service worker, and reports both outcomes to the server that the page came from. */
import { tool } from "./tool.ts"

const key = new URLSearchParams(location.search).get("key") ?? ""
const report = (from: string, outcome: unknown) =>
  fetch(`/report/${from}`, { method: "POST", body: JSON.stringify(outcome) })

navigator.serviceWorker.addEventListener("message", (message) => void report("worker", message.data))
await navigator.serviceWorker.register("/worker.js", { type: "module" })
const { active } = await navigator.serviceWorker.ready
active?.postMessage({ baseUrl: location.origin, key })
await report("page", await tool(location.origin, key).catch(String))
