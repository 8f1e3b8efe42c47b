/** Runs a scenario: `@deedkit/core` reads all contracts from `@deedkit/emulator`, both in this page. Nothing is sent over the network. */
import { ClientError, createClient } from "@deedkit/core/promise"
import type { ClientEvent, CompletenessReason, Contract, ReadSummary } from "@deedkit/core/promise"
import { make, realClock } from "@deedkit/emulator"
import type { Scenario } from "./Scenario.ts"

export interface Step {
  readonly kind: "request" | "refused" | "wait" | "page" | "note"
  readonly text: string
}

export interface Outcome {
  readonly kind: "complete" | "unverified" | "failed"
  readonly verdict: string
  readonly contracts: ReadonlyArray<Contract>
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** A wait that the server asked for is a little longer, by chance, and any other wait is chance alone. */
const waitText = ({ source, waitMillis }: Extract<ClientEvent, { readonly _tag: "Waiting" }>): string =>
  source === "retry-after"
    ? `Waits ${Math.floor(waitMillis / 1000)} s, as the server asked`
    : "Waits a moment before the next attempt"

/** What an event says. Times are left out, so that a scenario says the same whenever and wherever it is run. */
const stepOf = (event: ClientEvent): Step => {
  switch (event._tag) {
    case "Attempted": {
      const ended = event.outcome === "ok" ? "" : ` ${event.outcome}`
      const again = event.attempt === 1 ? "" : `, attempt ${event.attempt}`
      const text = `${event.method} ${event.target}: ${event.status ?? "no status"}${ended}${again}`
      return { kind: event.outcome === "ok" ? "request" : "refused", text }
    }
    case "Waiting":
      return { kind: "wait", text: waitText(event) }
    case "PageRead": {
      const { pages, records } = event.summary
      const rejected = event.rejected === 0 ? "" : `, ${event.rejected} rejected`
      const text = `Page ${pages}: ${plural(event.records, "contract")}${rejected}; ${records} so far`
      return { kind: "page", text }
    }
    case "Slowed":
      return { kind: "note", text: `Slower after ${plural(event.refusals, "refusal")}` }
    case "AnomalySeen":
      return { kind: "note", text: `${event.anomaly}: ${event.detail}` }
    case "SchemaDrift":
      return { kind: "note", text: `Not in the specification: ${event.path} (${event.found})` }
  }
}

const because: { readonly [Reason in CompletenessReason]: string } = {
  "one-page": "one answer held the whole list",
  "linked-pages": "each page begins where the one before ended",
  "second-reading": "a second reading showed none that was missed",
  moving: "the list changed during every reading",
  contradiction: "the service filters by id and sorts by something else",
  "single-reading": "nothing was read twice",
  "reading-failed": "a request that only checks the list failed",
  "cursor-unverified": "the cursor may not lead to all records",
  resumed: "the read was resumed",
  unfinished: "the list was not read to its end",
}

const outcomeOf = (summary: ReadSummary, contracts: ReadonlyArray<Contract>): Outcome => {
  const { completeness, pages, records, rejected } = summary
  const read = `${plural(records, "contract")} in ${plural(pages, "page")}`
  const reason = because[completeness.reason]
  if (completeness.state === "unverified")
    return { kind: "unverified", verdict: `${read}, not shown to be all: ${reason}.`, contracts }
  if (rejected > 0)
    return { kind: "unverified", verdict: `${read}, and ${rejected} rejected: not as specified.`, contracts }
  return { kind: "complete", verdict: `${read}, complete (${completeness.state}): ${reason}.`, contracts }
}

/** Clients of one address and key share a rate limiter, so each run has an address of its own. */
let runs = 0

/** Each look at it is a second later, so that what is written has the same times on a slow machine and on a fast one. */
const steps = () => {
  let at = Date.parse("2026-01-01T00:00:00Z")
  return { now: () => (at += 1000), sleep: realClock.sleep }
}

/** The made-up service of a scenario. Throws if a fault cannot be used. */
export const emulatorOf = ({ contracts, cursor, faults, order, seed }: Scenario) =>
  make({
    clock: steps(),
    contracts,
    seed,
    faults,
    assumptions: { ordering: order, cursorKind: cursor === "id" ? "integer" : cursor },
  })

/** Reads every contract and calls `tell` for each step. Rejects if a setting or a fault cannot be used, or if it was stopped. */
export const replay = async (
  scenario: Scenario,
  tell: (step: Step) => void,
  signal: AbortSignal,
): Promise<Outcome> => {
  const emulator = emulatorOf(scenario)
  runs += 1
  const baseUrl = `https://run-${runs}.example.com`
  // Without a rate, because what waits for its turn depends on the machine.
  const options = { cursorParam: "auto", rate: 0, retry: "patient" } as const
  await using client = createClient({ baseUrl, apiKey: emulator.apiKey, fetch: emulator.fetch, ...options })
  client.listen((event) => tell(stepOf(event)))
  const contracts: Array<Contract> = []
  let summary: ReadSummary | null = null
  try {
    for await (const page of client.contracts.pages({
      limit: scenario.limit,
      prove: true,
      onRejected: "collect",
      signal,
    })) {
      contracts.push(...page.records)
      ;({ summary } = page)
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    const verdict = error.message.replaceAll(baseUrl, "https://api.example.com")
    return { kind: "failed", verdict, contracts }
  }
  return summary === null
    ? { kind: "failed", verdict: "No page was read.", contracts }
    : outcomeOf(summary, contracts)
}
