import { Json } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../harness/Cli.ts"
import { call } from "../harness/InProcess.ts"
import { answering } from "../harness/Servers.ts"

describe("deedkit api", () => {
  it("prints the answer to a path and a query", async () => {
    await using it = await bench({ contracts: 5 })
    const [first] = it.emulator.store.contracts.toReversed()
    const { code, stderr, stdout } = await it.call([
      "api",
      "/v1/contracts/",
      "--query",
      "limit=1",
      "--query",
      `before_id=${first!.id + 1}`,
    ])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, items: [{ id: first!.id }] })
  })

  it("takes a query in the path, and a path without its first slash", async () => {
    await using it = await bench()
    for (const path of ["v1/contracts/?limit=1&before_id=9999", "/v1/contracts/?limit=1&before_id=9999"]) {
      expect((await it.call(["api", path])).code).toBe(0)
      expect(it.emulator.journal.entries.at(-1)).toMatchObject({
        path: "/v1/contracts/",
        query: { limit: "1", before_id: "9999" },
      })
    }
  })

  it("prints one line for programs, and lines with an indent on a terminal, every integer exact", async () => {
    const body = '{"ok":true,"id":9007199254740993,"is":{"deep":[1]}}'
    await using server = await answering(() => body)
    const env = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY: "0123456789abcdef" }
    const args = ["api", "/v1/anything/7"]
    expect(await call(args, { env })).toMatchObject({ code: 0, stdout: `${body}\n` })
    expect(await call(args, { env, columns: 80 })).toMatchObject({
      code: 0,
      stdout: `${Json.stringify(Json.parse(body), 2)}\n`,
    })
  })

  it("fails with the exit code of the answer, as JSON on request", async () => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.call(["api", "/v1/nothing/", "--json"])
    expect([code, stdout]).toEqual([3, ""])
    expect(lastJson(stderr)).toMatchObject({ error: "NotFound", exitCode: 3 })
  })

  it.each([
    [["/v2"], "Path: must begin with a version"],
    [["nope/"], "Path: must begin with a version"],
    [["/v1/../me/?a=b"], "Path: must begin with a version"],
    [["/v1/../me/"], "Path: must begin with a version"],
    [["https://elsewhere.example/v1/me/"], "Path: must begin with a version"],
    [["//elsewhere.example/v1/me/"], "Path: must begin with a version"],
    [["v1/me/?a=1", "--query", "a=2"], "--query a is given twice."],
    [["/v1/me/", "--query", "limit"], "Invalid value for --query. Write it as NAME=VALUE."],
    [["/v1/me/", "--query", "=1"], "Invalid value for --query. Write it as NAME=VALUE."],
    [["/v1/me/", "--query", "a=1", "--query", "a=2"], "--query a is given twice."],
    [["/v1/me/", "--query", "a b=1"], "Query: has a name that is no parameter's name"],
    [[], "Missing PATH for deedkit api"],
  ])("sends nothing with %j, and says what is wrong", async (args, message) => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.call(["api", ...args])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(message)
    expect(it.emulator.journal.entries).toEqual([])
  })
})
