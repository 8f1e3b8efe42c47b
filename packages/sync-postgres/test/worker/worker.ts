/**
 * A worker in a process of its own: `worker.ts OPTIONS`, a JSON text that says where the mirror is, the accounts, how many are synced at once, and the records a page.
 * It says each thing that it does on a line of standard output.
 */
import type { Served } from "@deedkit/config/fleet"
import { PropertyClient, Transport } from "@deedkit/core"
import * as node from "@deedkit/core/node"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { QueueOptions } from "../../src/worker/index.ts"
import { work } from "../../src/worker/index.ts"

export interface Told {
  readonly where: QueueOptions
  readonly accounts: ReadonlyArray<Served>
  readonly concurrency: number
  readonly pageSize: number
}

const { accounts, concurrency, pageSize, where } = JSON.parse(process.argv[2] ?? "{}") as Told
const byName = new Map(accounts.map((account) => [account.name, account]))
const { send } = node.make({ maxSockets: 16 })

Runtime.makeRunMain(({ fiber, teardown }) => {
  process.once("SIGTERM", () => fiber.interruptUnsafe(fiber.id))
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})(
  work({
    ...where,
    concurrency,
    sync: { pageSize },
    open: (account) => {
      const served = byName.get(account)
      return served === undefined
        ? Effect.fail({ message: `There is no account ${account}` })
        : PropertyClient.make({ apiKey: served.apiKey, baseUrl: served.baseUrl, rate: 0 }).pipe(
            Effect.provideService(Transport.Transport, send),
          )
    },
    listen: (event) =>
      Effect.sync(() => {
        process.stdout.write(
          `${event._tag} ${"account" in event ? event.account : event.night}${"problem" in event ? ` ${event.problem}` : ""}\n`,
        )
      }),
  }),
)
