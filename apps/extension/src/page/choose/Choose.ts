/**
 * Lets the user choose a link of the page by pointer, touch or keys. The extension page that asked for it gets the address of that link and
 * those of the page's other links, which the preview of a pattern needs. This script knows nothing about contracts. It ends with the choice,
 * with Escape, or when the extension page is closed.
 */
import { browser } from "wxt/browser"
import type { Browser } from "wxt/browser"
import * as Sender from "../../messages/Sender.ts"
import * as Choice from "./Choice.ts"
import * as Shield from "./Shield.ts"
import * as Targets from "./Targets.ts"

/** Global in which a script that is loaded into a page again finds the earlier one. No page can see it. */
const place = "deedkit choose"

/** Calls back with the choice; never if the signal ends it first. */
const choose = (chosen: (choice: Choice.Choice | null) => void, signal: AbortSignal): void => {
  let current: Element | null = null
  /** Where the pointer rests; null while keys are used. */
  let pointer: readonly [x: number, y: number] | null = null

  const take = (link: Element | null): void => {
    const target = link === null ? null : Targets.targetOf(link)
    if (target !== null) chosen({ chosen: target, links: Targets.targets(target) })
  }
  const step = (isBack: boolean): void => {
    const links = Targets.drawn()
    const at = current === null ? -1 : links.indexOf(current)
    const inView = links.findIndex((link) => link.getBoundingClientRect().bottom > 0)
    const next = at < 0 ? inView : (at + (isBack ? -1 : 1) + links.length) % links.length
    pointer = null
    current = links[next] ?? null
    if (current !== null) Element.prototype.scrollIntoView.call(current, { block: "nearest" })
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") chosen(null)
    else if (event.key === "Enter") take(current)
    else if (event.key === "Tab" && !event.altKey && !event.ctrlKey) step(event.shiftKey)
    else return
    event.preventDefault()
  }
  const shield = Shield.make(
    (event, x, y) => {
      if (event.type === "keydown") return onKey(event as KeyboardEvent)
      if (event.type === "pointermove") return void (pointer = [x, y])
      event.preventDefault()
      if (shield.isCancel(x, y)) chosen(null)
      else take(Targets.at(x, y))
    },
    () => chosen(null),
    signal,
  )
  /** The page can move its links meanwhile, and can remove the shield. */
  const follow = (): void => {
    if (signal.aborted) return
    if (!shield.isThere()) return chosen(null)
    if (pointer !== null) current = Targets.at(...pointer)
    if (current?.isConnected === false) current = null
    shield.frame(current, (current && Targets.targetOf(current)) ?? "")
    requestAnimationFrame(follow)
  }
  follow()
}

/** Waits for the extension page that asks for a choice. A script that was loaded into the page earlier ends. */
export const begin = (): void => {
  const globals = globalThis as { [place]?: AbortController }
  globals[place]?.abort()
  const ending = new AbortController()
  globals[place] = ending
  const { signal } = ending
  const self = { id: browser.runtime.id, origin: browser.runtime.getURL("").replace(/\/$/, "") }
  const deafen = (): void => browser.runtime?.onConnect.removeListener(hear)
  const hear = (port: Browser.runtime.Port): void => {
    if (port.name !== Choice.port || Sender.of(port.sender ?? {}, self)?._tag !== "Page") return
    deafen()
    port.onDisconnect.addListener(() => ending.abort())
    signal.addEventListener("abort", () => port.disconnect())
    // Firefox keeps the port of a page that it may show again.
    window.addEventListener("pagehide", () => ending.abort(), { signal })
    choose((choice) => {
      if (choice !== null) port.postMessage(choice)
      ending.abort()
    }, signal)
  }
  browser.runtime.onConnect.addListener(hear)
  signal.addEventListener("abort", deafen)
}
