/** Programs that readers can edit and run: core's entry for promises, and an emulator in place of the network. */
import * as core from "@deedkit/core/promise"
import { emulatorOf } from "./Replay.ts"
import type { Scenario } from "./Scenario.ts"

const entry = "@deedkit/core/promise"

/** A module that can be loaded from its text: names of core's entry are members of a global object. */
export const loadable = (text: string): string =>
  text.replaceAll(/^import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?/gm, (_, names: string, from: string) => {
    if (from !== entry) throw new Error(`Only ${entry} can be imported here, not ${from}.`)
    return `const {${names.replaceAll(/\bas\b/g, ":")}} = deedkitCore;`
  })

/** A value as a console shows it, on one line. */
const shown = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof Error) return value.message
  if (value instanceof Set) return shown([...value])
  return typeof value === "object" && value !== null ? core.Json.stringify(value) : String(value)
}

/** What a program finds: core's entry, a key, a `fetch` that reaches the emulator of a scenario, and a console. */
export const globals = (scenario: Scenario, print: (line: string) => void): object => {
  const emulator = emulatorOf(scenario)
  const write = (...values: ReadonlyArray<unknown>): void => print(values.map(shown).join(" "))
  const { apiKey, fetch } = emulator
  return { deedkitCore: core, apiKey, fetch, console: { log: write, info: write, warn: write, error: write } }
}
