import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../harness/Cli.ts"

describe("get", () => {
  it.concurrent("keeps the order of many ids, and ends with 3 where one is not known", async () => {
    await using it = await bench({ contracts: 6 })
    const [a, b, c] = it.emulator.store.contracts.map(({ id }) => String(id)).toReversed()
    const { code, stderr, stdout } = await it.call(["contracts", "get", b!, "7", a!, c!, "--json=id"])
    expect(JSON.parse(stdout)).toEqual({ items: [b, a, c].map((id) => ({ id: Number(id) })), unknown: [7] })
    expect([code, lastJson(stderr)]).toEqual([
      3,
      {
        error: "UnknownIds",
        message: "There is no contract with the id 7. All others were found.",
        ids: [7],
        exitCode: 3,
      },
    ])
  })

  it.concurrent("shows many as blocks of fields", async () => {
    await using it = await bench({ contracts: 2 })
    const [first, second] = it.emulator.store.contracts
    const { code, stdout } = await it.call(["contracts", "get", String(first?.id), String(second?.id)])
    const blocks = stdout.trimEnd().split("\n\n")
    expect([code, blocks.length]).toEqual([0, 2])
    expect(blocks.map((block) => /^Contract +(\d+)\n/.exec(block)?.[1])).toEqual([
      String(first?.id),
      String(second?.id),
    ])
  })

  it.concurrent("reports the service's answer to one unknown id, and prints nothing", async () => {
    await using it = await bench({ contracts: 2 })
    const { code, stderr, stdout } = await it.call(["contracts", "get", "7", "--ndjson"])
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain("contract 7")
  })

  it.concurrent("reads ids from standard input in their order, with the data payload when asked", async () => {
    await using it = await bench({ contracts: 3 })
    const [a, b] = it.emulator.store.contracts
    const { code, stdout } = await it.run(["contracts", "get", "-", "--ndjson", "--data"], {
      stdin: `${b?.id}\n${a?.id}\n`,
    })
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly id: number; readonly data: unknown })
    expect([code, lines.map(({ id }) => id)]).toEqual([0, [b?.id, a?.id]])
    expect(lines[1]?.data).toEqual(a === undefined ? null : it.emulator.store.payloadOf(a))
  })

  it.concurrent("sends nothing when an id on standard input is none", async () => {
    await using it = await bench({ contracts: 3 })
    const { code, stderr, stdout } = await it.run(["keys", "get", "-"], { stdin: "1\n2x\n" })
    expect([code, stdout, it.emulator.journal.entries.length]).toEqual([2, "", 0])
    expect(stderr).toBe(
      'Invalid id "2x" on standard input. Ids are whole numbers from 1, separated by spaces, commas or line breaks.\n',
    )
  })

  it.concurrent("is one document with one id from standard input too, so that a script need not count", async () => {
    await using it = await bench({ contracts: 1 })
    const [only] = it.emulator.store.contracts
    const { stdout } = await it.run(["contracts", "get", "-", "--json=id"], { stdin: String(only?.id) })
    expect(JSON.parse(stdout)).toEqual({ items: [{ id: only?.id }], unknown: [] })
  })
})
