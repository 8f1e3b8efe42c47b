import { describe, expect, it } from "vitest"
import { bench, lastJson } from "../harness/Cli.ts"

describe("deedkit contracts, keys and me", () => {
  it.concurrent("list the first page, and say on standard error that there is more", async () => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.call(["contracts", "list", "--page-size", "3"])
    const ids = it.emulator.store.contracts.slice(0, 3).map(({ id }) => String(id))
    expect(code).toBe(0)
    expect(stdout.split("\n")[0]).toMatch(/^Contract +Status +Kind +Unit +Listing +City +Updated \(UTC\)$/)
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.trim().split(" ")[0]),
    ).toEqual(ids)
    expect(stderr).toBe("First page only. Use --all to list all contracts.\n")
  })

  it.concurrent("list as JSON with the digits of the cursor as they came", async () => {
    await using it = await bench({ assumptions: { cursorKind: "bigint" } })
    const page = await it.call(["contracts", "list", "--page-size", "2", "--json"])
    expect(page.stdout).toMatch(/"next": 9\d{15,},\n {2}"complete": false/)
    const all = await it.call(["contracts", "list", "--all", "--json", "--rate", "0"])
    expect(JSON.parse(all.stdout)).toMatchObject({
      items: JSON.parse(JSON.stringify(it.emulator.store.contracts)) as unknown,
      pages: 3,
      next: null,
      complete: true,
    })
  })

  it.concurrent("leave out records that are not as specified, and end with 9", async () => {
    await using it = await bench({ faults: ["missing-field:field=name"] })
    const { code, stderr, stdout } = await it.call(["keys", "list", "--json"])
    const [first, ...rest] = it.emulator.store.apiKeys
    expect(JSON.parse(stdout)).toMatchObject({ items: rest, rejected: [{ id: first?.id }], complete: true })
    expect([code, lastJson(stderr)["exitCode"]]).toEqual([9, 9])
  })

  it.concurrent("get one record with its data, readable and as JSON", async () => {
    await using it = await bench()
    const [contract] = it.emulator.store.contracts
    const fields = await it.call(["contracts", "get", String(contract?.id)])
    expect(fields.stdout).toMatch(new RegExp(`^Contract +${contract?.id}\nStatus +${contract?.status}\n`))
    expect(fields.stdout).not.toContain("deposit_months")
    const whole = await it.call(["contracts", "get", String(contract?.id), "--data", "--json"])
    const data = contract === undefined ? null : it.emulator.store.payloadOf(contract)
    expect(JSON.parse(whole.stdout)).toEqual({ ...contract, data })
  })

  it.concurrent("never return another record than the one asked for", async () => {
    await using it = await bench({ faults: ["wrong-record"] })
    const { code, stderr, stdout } = await it.call(["keys", "get", "11", "--json"])
    const [first] = it.emulator.store.apiKeys
    const asked = await it.call(["keys", "get", String(first?.id), "--json"])
    expect([code, stdout, lastJson(stderr)["error"]]).toEqual([3, "", "NotFound"])
    expect([asked.code, asked.stdout, lastJson(asked.stderr)["error"]]).toEqual([8, "", "IdentityMismatch"])
  })

  it.concurrent("show no control character of a title on the way to a screen", async () => {
    await using it = await bench({ contracts: 1 })
    const [contract] = it.emulator.store.contracts
    const hostile = "\u001B]0;owned\u0007\u009B2J\u202Eend"
    it.emulator.store.update(contract?.id ?? 0, { unit_label: hostile })
    const [list, get, json] = await Promise.all([
      it.call(["contracts", "list"]),
      it.call(["contracts", "get", String(contract?.id)]),
      it.call(["contracts", "get", String(contract?.id), "--json"]),
    ])
    for (const { stdout } of [list, get, json])
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(list.stdout).toContain("␛]0;owned␇\uFFFD2J\uFFFDend")
    expect((JSON.parse(json.stdout) as { readonly unit_label: string }).unit_label).toBe(hostile)
  })

  it.concurrent("show who the key belongs to", async () => {
    await using it = await bench()
    const { code, stdout } = await it.call(["me"])
    expect([code, stdout.startsWith("account\n  {")]).toEqual([0, true])
    expect(JSON.parse((await it.call(["me", "--json"])).stdout)).toMatchObject({ ok: true, user: { id: 7 } })
  })

  it.concurrent("log each attempt in UTC with its request id", async () => {
    await using it = await bench()
    const { stderr } = await it.run(["me", "--verbose"])
    expect(stderr).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z #1 GET \/v1\/me\/: 200 ok in \d+ ms, request id req_\w+\n$/,
    )
  })
})
