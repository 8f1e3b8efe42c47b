import { afterEach, describe, expect, it, vi } from "vitest"
import { examples } from "../../playground/Examples.ts"
import { globals, loadable } from "../../playground/Programs.ts"
import * as Scenario from "../../playground/Scenario.ts"

afterEach(() => {
  vi.unstubAllGlobals()
})

const run = async (text: string, scenario = Scenario.initial): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for (const [name, value] of Object.entries(globals(scenario, (line) => lines.push(line))))
    vi.stubGlobal(name, value)
  // The comment makes it another module than the one before.
  await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${loadable(text)}//${Math.random()}`)}`
  )
  return lines
}

describe("an example", () => {
  it.each(examples)("runs, and prints something: $label", async ({ text }) => {
    expect((await run(text)).length).toBeGreaterThan(1)
  })

  it("reads from the service of the scenario", async () => {
    const lines = await run(examples[1].text, { ...Scenario.initial, contracts: 60 })
    expect(lines.at(-1)).toBe("0 contracts, 60 so far: proven linked-pages")
  })
})

describe("a program", () => {
  it("can import names of core's entry, also under other names, and nothing else", async () => {
    expect(
      await run('import {\n  knownKinds as kinds,\n} from "@deedkit/core/promise"\nconsole.log(kinds, 1n)'),
    ).toEqual(['["rent","sale"] 1'])
    expect(() => loadable('import { readFile } from "node:fs/promises"')).toThrow("not node:fs/promises")
  })

  it("ends with what it throws", async () => {
    await expect(run('throw new Error("no")')).rejects.toThrow("no")
    await expect(run("const = 1")).rejects.toThrow(SyntaxError)
  })
})
