/**
 * How many requests it takes to know what is new of contracts of which none is: those of an hour at the interval that is set from the start,
 * and of all of them in the complete read of a day. Counted in a background without a browser, which makes the same requests.
 */
import * as World from "../background/World.ts"
import type { Finding, Findings } from "./Finding.ts"

const requests = (count: number): Finding => ({ unit: "requests", figures: [count] })

/** A service that lists the latest updates first, 200 a page. */
export const measure = async (contracts: number): Promise<Findings> => {
  const now = (): number => world.clock.currentTimeMillisUnsafe()
  const world: World.World = World.make({
    contracts,
    assumptions: { ordering: "updated", maximumLimit: 200 },
    clock: { now, sleep: async () => {} },
  })
  await world.setUp()
  for (let isRead = false; !isRead; await World.turns(500)) {
    world.clock.advance(1_000)
    isRead = World.isSynced(await world.ask({ type: "page.state" }))
  }
  const complete = world.platform.asked.length
  for (let minutes = 15; minutes <= 60; minutes += 15) {
    world.clock.advance(15 * 60_000)
    await world.background().onAlarm("head")
    if (minutes === 60) await world.background().onAlarm("sync")
  }
  const { index, sync } = await world.ask({ type: "page.state" })
  const readAt = index.head?.readAt ?? null
  if (readAt === null || now() - Date.parse(readAt) > 60_000 || sync._tag !== "Idle") {
    throw new Error("the first page was not read as often as it should be")
  }
  const hour = world.platform.asked.length - complete
  await world.background().close()
  const what = `${contracts.toLocaleString("en")} unchanged contracts`
  return {
    [`requests an hour, ${what}`]: requests(hour),
    [`requests of a complete read, once a day, ${what}`]: requests(complete),
  }
}
