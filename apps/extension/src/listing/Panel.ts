/**
 * The panel on a listing's own page: its contracts with unit, status, dates and the age of each fact; asks the service again, and leads to
 * the extension's own page for the rest. Collapses to one line, and stays so from listing to listing.
 */
import type { BadgeFact, ListingDetail, ListingRequest, Reference } from "../messages/ListingMessage.ts"
import { plural, text } from "../ui/Message.ts"
import type { Channel } from "./Channel.ts"
import * as Contracts from "./Contracts.ts"
import * as Shadow from "./Shadow.ts"

const mostContracts = 20
const ageMillis = 60_000
/** Below this width the panel would cover the page, so it begins collapsed. */
const narrow = 640

export interface Panel {
  /** Shows a listing. One that is shown already is asked for again only if it may be `changed`. */
  readonly show: (reference: Reference, fact: BadgeFact, changed: boolean) => void
  readonly hide: () => void
}

/** Makes the panel of a page. What it has under way ends when it is hidden. */
export const make = (page: Document, channel: Channel): Panel => {
  const { host, root } = Shadow.make(page, "panel")
  const summary = page.createElement("summary")
  const body = page.createElement("div")
  const problem = page.createElement("p")
  problem.setAttribute("role", "status")
  const button = (name: "listingRefresh" | "listingOpen", press: () => void): HTMLButtonElement => {
    const made = page.createElement("button")
    made.type = "button"
    made.textContent = text(name)
    made.addEventListener("click", ({ isTrusted }) => {
      if (isTrusted) press()
    })
    return made
  }
  const refresh = button("listingRefresh", () => void renew())
  const open = button("listingOpen", () => {
    if (current !== null) void channel.ask({ type: "listing.open", reference: current, contractId: null })
  })
  const box = page.createElement("details")
  box.className = "box panel"
  box.open = page.documentElement.clientWidth >= narrow
  box.setAttribute("role", "region")
  box.setAttribute("aria-label", text("listingPanel"))
  box.append(summary, body, problem, refresh, open)
  box.addEventListener("toggle", () => {
    if (box.open && current !== null) void load("listing.detail")
  })
  root.append(box)

  let current: Reference | null = null
  let detail: ListingDetail | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  const draw = (): void => {
    if (detail !== null) body.replaceChildren(...Contracts.show(page, detail, mostContracts))
  }
  const load = async (type: "listing.detail" | "listing.refresh"): Promise<void> => {
    const reference = current
    if (reference === null) return
    const request: Extract<ListingRequest, { readonly type: typeof type }> = { type, reference }
    const answer = await channel.ask(request)
    if (current !== reference) return
    detail = answer ?? detail
    problem.textContent = answer === null ? text("listingFailed") : (answer.problem ?? "")
    draw()
  }
  const renew = async (): Promise<void> => {
    refresh.disabled = true
    await load("listing.refresh")
    refresh.disabled = false
  }
  const hide = (): void => {
    clearInterval(timer)
    timer = undefined
    current = null
    detail = null
    body.replaceChildren()
    problem.textContent = ""
    host.remove()
  }

  return {
    show: (reference, { count }, changed) => {
      if (reference === current && !changed) return
      if (reference !== current) hide()
      current = reference
      summary.textContent = plural("contracts", count)
      if (!host.isConnected) page.documentElement.append(host)
      timer ??= setInterval(draw, ageMillis)
      if (box.open) void load("listing.detail")
    },
    hide,
  }
}
