import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const folder = join(import.meta.dirname, "..", "..", "..", ".github", "workflows")
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const)

describe.each(workflows)("the workflow %s", (_, text) => {
  it("names each action by the hash of a commit, with its version", () => {
    const used = Array.from(text.matchAll(/uses: *(.*)/g), ([, action = ""]) => action)
    expect(used.length).toBeGreaterThan(0)
    for (const action of used)
      expect(action).toMatch(
        /^(?:\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      )
  })

  it("gives no job a right that the job does not ask for, and a job that can publish none of the repository's code", () => {
    expect(text).toContain("\npermissions: {}\n")
    expect(text).not.toMatch(/write-all|read-all|pull_request_target|secrets\./)
    for (const job of text.split(/^ {2}(?=[\w-]+:$)/m).filter((part) => /: write$/m.test(part)))
      expect(job).not.toMatch(/actions\/checkout|npx|pnpm/)
  })

  it("keeps no credentials where code of the repository runs", () => {
    const checkouts = text.match(/actions\/checkout@/g) ?? []
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length)
  })
})
