/** Runs one program, in a worker: the page stays usable, and whatever the program does can be ended. */
import { globals, loadable } from "./Programs.ts"
import type { Scenario } from "./Scenario.ts"

export interface Task {
  readonly text: string
  readonly scenario: Scenario
}
/** A line that the program printed, or its end with the message of what it threw. */
export type Report = { readonly line: string } | { readonly error: string | null }

const report = (message: Report): void => postMessage(message)

const run = async ({ scenario, text }: Task): Promise<void> => {
  Object.assign(
    globalThis,
    globals(scenario, (line) => report({ line })),
  )
  const module = URL.createObjectURL(new Blob([loadable(text)], { type: "text/javascript" }))
  await import(/* @vite-ignore */ module)
}

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  run(data).then(
    () => report({ error: null }),
    (error: unknown) => report({ error: error instanceof Error ? error.message : String(error) }),
  )
})
