/** Services whose records change from night to night, and what a mirror in either database has to hold of them. */
import * as Fleet from "@deedkit/config/fleet"
import type { AccountStatus } from "@deedkit/sync"
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { expect } from "vitest"

/** A quarter of the services page by a position that says nothing, which needs a second reading. */
export const serve = (number: number, contracts: number): Promise<Fleet.Fleet<Emulator>> => {
  const emulators = Array.from({ length: number }, (_, at) =>
    make({ contracts, seed: at + 11, assumptions: { cursorKind: at % 4 === 3 ? "string" : "integer" } }),
  )
  return Fleet.start({ emulators, listen, seed: 11 })
}

/** The mirror holds what the services have, each record once, and its history has no gap. Its tables are in `deedkit`. */
export const expectTruth = async (
  fleet: Fleet.Fleet<Emulator>,
  rows: (sql: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>,
  status: () => Promise<ReadonlyArray<AccountStatus>>,
): Promise<void> => {
  const held = await rows("select account, body from deedkit.contract order by account, id")
  const byAccount = Map.groupBy(held, ({ account }) => String(account))
  for (const [name, { store }] of fleet.emulators)
    expect((byAccount.get(name) ?? []).map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual(
      store.contracts.toSorted((one, other) => one.id - other.id),
    )
  expect(
    await rows(
      "select account, id from deedkit.contract_history group by 1, 2 having max(version) <> count(*) or min(version) <> 1",
    ),
  ).toEqual([])
  expect(
    await rows(
      `with newest as (select account, id, max(version) as version from deedkit.contract_history group by 1, 2),
         last as (select * from deedkit.contract_history join newest using (account, id, version))
       select account, id from last full join deedkit.contract as now using (account, id)
         where last.version is null or (last.change = 'removed') <> (now.version is null) or last.version <> now.version or last.hash <> now.hash`,
    ),
  ).toEqual([])
  for (const { brokenAt, missing } of (await status()).flatMap(({ lists }) => lists))
    expect([brokenAt, missing]).toEqual([null, 0])
  const counts = await rows("select change, count(*) as versions from deedkit.contract_history group by 1")
  const versions = Object.entries(fleet.versions()).filter(([, number]) => number > 0)
  expect(Object.fromEntries(counts.map(({ change, versions: number }) => [change, Number(number)]))).toEqual(
    Object.fromEntries(versions),
  )
}
