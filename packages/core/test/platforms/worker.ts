/** The tool in a service worker: takes address and key as a message, and answers with the outcome. */
import { tool } from "./tool.ts"

interface Asked extends MessageEvent<{ readonly baseUrl: string; readonly key: string }> {
  readonly waitUntil: (work: Promise<unknown>) => void
}

addEventListener("message", (event) => {
  const { data, source, waitUntil } = event as Asked
  const work = tool(data.baseUrl, data.key)
    .catch(String)
    .then((outcome) => source?.postMessage(outcome))
  waitUntil.call(event, work)
})
