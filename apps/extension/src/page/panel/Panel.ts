/**
 * The panel on a listing's own page: a pill with the words of a badge, until a press opens it and its contracts are asked for, with unit,
 * status, dates and the time of each fact. The open panel can ask the service again, and leads to the extension's own page for the rest. It is
 * in the top layer, in a corner of the window that its user chooses, and closes when the page moves to another listing: an address is no
 * gesture. It is the only part of the extension in a page that takes the pointer.
 */
import type { BadgeFact, ListingAnswers, Reference } from "../../messages/ListingMessage.ts"
import type { Channel, ListingRequest } from "../../messages/Requests.ts"
import { plural, text } from "../../ui/kit/Message.ts"
import * as Contracts from "./Contracts.ts"
import * as Place from "./Place.ts"
import * as Host from "../Host.ts"

const mostContracts = 20

/** Signs before the pill's text, and on the buttons beside it. */
const closed = "▸"
const opened = "▾"
const moving = "⤢"
const closing = "×"

/** The user's choices for the panel, on this site and on all sites. */
export type Chosen = Pick<NonNullable<ListingAnswers["listing.start"]>, "pill" | "place">

export interface Panel {
  /** Shows a listing. One that is shown already is updated only if it may have `changed`. */
  readonly show: (reference: Reference, fact: BadgeFact, changed: boolean) => void
  /** Shows no listing; while links wait to be looked up, it says so. */
  readonly rest: (isPaused: boolean) => void
  /** Shows the panel again after the page has taken it out of the document. */
  readonly raise: () => void
}

/** Makes the panel. Answers that come after it was hidden are ignored. */
export const make = (channel: Channel, root: ShadowRoot, chosen: () => Chosen): Panel => {
  const button = (name: string, press: () => unknown, label = ""): HTMLButtonElement => {
    const made = document.createElement("button")
    made.dataset["name"] = name
    if (label !== "") made.ariaLabel = label
    made.addEventListener("click", ({ isTrusted }) => {
      if (isTrusted) press()
    })
    return made
  }
  const count = Host.line("span", "", "")
  const mark = document.createElement("span")
  const pill = button(closed, () => turn(pill.dataset["name"] === closed))
  pill.className = "line"
  pill.append(count, mark)
  const mover = button(moving, () => put(Place.next(place)), text("listingMove"))
  const closer = button(closing, () => put({ ...place, isClosed: true }), text("listingClose"))
  const head = Host.element("div", "head", pill, mover, closer)
  const body = Host.element("div", "body")
  const problem = Host.line("div", "note", "")
  problem.role = "status"
  const refresh = button(text("listingRefresh"), async () => {
    refresh.disabled = true
    await load("listing.refresh")
    refresh.disabled = false
  })
  const open = button(
    text("listingOpen"),
    () => current && channel.ask({ type: "listing.open", reference: current }),
  )
  const foot = Host.element("div", "", refresh, open)
  const box = Host.element("div", "box panel")
  box.popover = "manual"
  box.role = "region"
  box.setAttribute("aria-label", text("listingPanel"))

  let current: Reference | null = null
  let last: Chosen | null = null
  let place = Place.read()

  const load = async (type: "listing.detail" | "listing.refresh"): Promise<void> => {
    const reference = current
    if (reference === null) return
    const request: Extract<ListingRequest, { readonly type: typeof type }> = { type, reference }
    const answer = await channel.ask(request)
    if (current !== reference) return
    Host.write(problem, answer === null ? text("listingFailed") : (answer.problem ?? ""))
    if (answer !== null) body.replaceChildren(...Contracts.show(answer, mostContracts))
  }
  /** Makes the box contain exactly these parts. One that stays is not touched, so that it keeps the focus. */
  const fill = (...parts: ReadonlyArray<HTMLElement>): void => {
    for (const child of [head, body, problem, foot]) {
      if (!parts.includes(child)) child.remove()
      else if (child.parentNode !== box) box.append(child)
    }
  }
  /** Opens the panel, or reduces it to the pill and removes its contents. */
  const turn = (isOpen: boolean): void => {
    pill.ariaExpanded = String(isOpen)
    pill.dataset["name"] = isOpen ? opened : closed
    body.replaceChildren()
    Host.write(problem, "")
    fill(head, ...(isOpen ? [body, problem, foot] : []))
    if (isOpen) void load("listing.detail")
  }

  const appear = (): void => {
    if (last !== chosen()) {
      last = chosen()
      place = Place.read(last.place)
    }
    const { isClosed, isLeft, isUpper } = place
    box.dataset["corner"] = `${isUpper ? "upper" : "lower"} ${isLeft ? "left" : "right"}`
    if (isClosed || !last.pill) return box.remove()
    if (box.isConnected) return
    root.append(box)
    box.showPopover()
    Host.silently(box)
  }
  const raise = (): void => {
    if (!box.isConnected) return
    box.remove()
    appear()
  }
  /** Moves the panel by drawing it anew: browsers report the move of something painted to the page. The focus stays on it. */
  const put = (next: Place.Place): void => {
    const held = root.activeElement
    place = next
    void channel.ask({ type: "listing.place", place: Place.write(place) })
    raise()
    if (held instanceof HTMLElement && box.contains(held)) held.focus({ preventScroll: true })
  }
  Place.letDrag(head, box, (x, y) => put(Place.nearest(place, x, y)))
  box.addEventListener("keydown", (event) => {
    const isInHead = head.contains(event.target as Node)
    const next = isInHead ? Place.beside(place, event.key) : null
    if (!event.isTrusted || (next === null && event.key !== "Escape")) return
    event.preventDefault()
    if (next !== null) return put(next)
    turn(false)
    if (!isInHead) pill.focus({ preventScroll: true })
  })

  return {
    show: (reference, fact, changed) => {
      if (reference === current && !changed) return
      Host.write(count, plural("contracts", fact.count))
      Host.writeBadge(mark, fact)
      pill.ariaLabel = Host.badgeLabel(fact)
      if (reference !== current) turn(false)
      current = reference
      appear()
      if (body.isConnected) void load("listing.detail")
    },
    rest: (isPaused) => {
      current = null
      turn(false)
      if (isPaused) {
        Host.write(problem, text("listingPaused"))
        fill(problem)
        appear()
      } else box.remove()
    },
    raise,
  }
}
