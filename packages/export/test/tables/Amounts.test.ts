import { Fixtures } from "@deedkit/core/testing"
import type { Contract } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { AmountTotals } from "../../src/tables/Amounts.ts"

const contract = (data: unknown, more: object = {}) =>
  ({ ...Fixtures.contract(more), data }) as unknown as Contract.Contract

const of = (contracts: ReadonlyArray<Contract.Contract>): AmountTotals => {
  const totals = new AmountTotals()
  totals.add(contracts)
  return totals
}
const rent = (amount: unknown, currency: unknown) => ({ rent: { amount, currency } })

describe("amounts of payloads", () => {
  it("are added up by member, currency and month, those of active contracts apart", () => {
    const totals = of([
      contract(rent(0.1, "EUR"), { status: "active", created_at: "2026-03-01T00:00:00Z" }),
      contract(rent(0.2, "EUR"), { status: "ended", created_at: "2026-03-31T23:59:59Z" }),
      contract(rent(5, "EUR"), { status: "ended", created_at: "2026-02-01T00:00:00Z" }),
      contract(rent(7n, "BRL"), { status: "active", created_at: "soon" }),
    ])
    const row = { member: "data.rent" }
    expect(totals.rows()).toEqual([
      { ...row, currency: "BRL", month: null, contracts: 1, total: 7, active: 7 },
      { ...row, currency: "EUR", month: "2026-03", contracts: 2, total: 0.3, active: 0.1 },
      { ...row, currency: "EUR", month: "2026-02", contracts: 1, total: 5, active: 0 },
    ])
    expect(totals.totals()).toEqual([
      { ...row, currency: "BRL", contracts: 1, total: 7, active: 7 },
      { ...row, currency: "EUR", contracts: 3, total: 5.3, active: 0.1 },
    ])
  })

  it.each([
    [rent("850", "EUR")],
    [rent(850, null)],
    [rent(850, "")],
    [rent(Infinity, "EUR")],
    [rent(1e303, "EUR")],
    [rent(-1e303, "EUR")],
    [rent(1.7e302, "EUR")],
    [rent(null, "EUR")],
    [{ amount: 850 }],
    [[rent(850, "EUR")]],
    ["850 EUR"],
    [null],
  ])("are only numbers with a currency, and not %j", (data) => {
    expect(of([contract(data)]).rows()).toEqual([])
  })

  it("are no integers of hundreds of digits: their sum is no number", () => {
    expect(of([contract(rent(10n ** 400n, "EUR")), contract(rent(12n, "EUR"))]).totals()).toMatchObject([
      { contracts: 1, total: 12 },
    ])
  })

  it("are found at any name, and in a payload that is nested without end without a failure", () => {
    let deep: object = rent(1, "EUR")
    for (let level = 0; level < 50_000; level += 1) deep = { deep }
    const odd = { "": { amount: 1, currency: "EUR" }, __proto__: null, deep }
    expect(of([contract(odd)]).rows()).toHaveLength(1)
  })
})
