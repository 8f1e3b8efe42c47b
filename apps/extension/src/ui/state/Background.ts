/**
 * The pages' only interface to the background: requests with typed answers, the state as it changes, and the staged connection test. A request that
 * is not answered in time rejects, so that no page waits forever.
 */
import { browser } from "wxt/browser"
import * as PageIndex from "../../index/PageIndex.ts"
import type { AppState } from "../../messages/AppState.ts"
import type { PageAnswers, TestFinding } from "../../messages/PageMessage.ts"
import type { PageRequest } from "../../messages/Requests.ts"
import { ports } from "../../messages/PageMessage.ts"
import type { TestStage } from "./TestWords.ts"

/** Time limit for answers from the index and the settings. */
const localLimitMillis = 15_000

/** Time limit for answers that can wait for the service or remove many contracts: slightly more than a call's whole deadline. */
const remoteLimitMillis = 130_000

/** Delay before a lost port is reopened; doubled each time, up to the longest. */
const reconnectMillis = { first: 250, longest: 8_000 } as const

export interface Background {
  /** Rejects if the background does not answer. An error of the catalogue is an answer. */
  readonly ask: <Request extends PageRequest>(request: Request) => Promise<PageAnswers[Request["type"]]>
  /** The saved contracts, which pages read themselves. */
  readonly index: PageIndex.PageIndex
  /** Passes on the state immediately and at every change, until the returned function is called. */
  readonly watch: (onState: (state: AppState) => void) => () => void
  /** Runs the connection test. `onEnd` is called once, even if the test was interrupted. The returned function cancels the test. */
  readonly test: (onStage: (stage: TestStage) => void, onEnd: () => void) => () => void
}

const takesLong = (request: PageRequest): boolean =>
  request.type === "page.setAddress" ||
  request.type === "page.setKey" ||
  request.type === "page.decideList" ||
  request.type === "page.refresh"

const ask = <Request extends PageRequest>(request: Request): Promise<PageAnswers[Request["type"]]> =>
  new Promise((resolve, reject) => {
    const limit = takesLong(request) ? remoteLimitMillis : localLimitMillis
    const timer = setTimeout(() => reject(new Error(`${request.type} was not answered`)), limit)
    browser.runtime
      .sendMessage(request)
      .then((answer: PageAnswers[Request["type"]] | undefined) => {
        if (answer === undefined) throw new Error(`${request.type} was not answered`)
        resolve(answer)
      })
      .catch(reject)
      .finally(() => clearTimeout(timer))
  })

/** Reopens the state port after the browser has stopped the background, but only while the page is visible. */
const watch = (onState: (state: AppState) => void): (() => void) => {
  let port: ReturnType<typeof browser.runtime.connect> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let delay: number = reconnectMillis.first

  const connect = (): void => {
    clearTimeout(timer)
    if (port !== null || document.visibilityState === "hidden") return
    port = browser.runtime.connect({ name: ports.state })
    port.onMessage.addListener((state: AppState) => {
      delay = reconnectMillis.first
      onState(state)
    })
    port.onDisconnect.addListener(() => {
      port = null
      timer = setTimeout(connect, delay)
      delay = Math.min(delay * 2, reconnectMillis.longest)
    })
  }

  connect()
  document.addEventListener("visibilitychange", connect)
  return () => {
    document.removeEventListener("visibilitychange", connect)
    clearTimeout(timer)
    port?.disconnect()
  }
}

/** Converts the findings of one connection test to texts. */
type Words = (onStage: (stage: TestStage) => void) => (finding: TestFinding) => void

const testing =
  (words: Words): Background["test"] =>
  (onStage, onEnd) => {
    const port = browser.runtime.connect({ name: ports.connectionTest })
    port.onMessage.addListener(words(onStage))
    port.onDisconnect.addListener(onEnd)
    return () => port.disconnect()
  }

/** Makes the interface. A page that shows the connection test provides its texts. */
export const make = (words: Words = () => () => {}): Background => ({
  ask,
  index: PageIndex.make(),
  watch,
  test: testing(words),
})
