/**
 * The background as the pages see it: questions with typed answers, the state as it changes, and the staged connection test. Pages
 * know nothing else of it. Every question has an end: one that is not answered in time rejects, so that no page waits for ever.
 */
import { browser } from "wxt/browser"
import type { AppState } from "../../messages/AppState.ts"
import type { PageAnswers, PageRequest, TestFinding } from "../../messages/PageMessage.ts"
import { ports } from "../../messages/PageMessage.ts"
import type { TestStage } from "./TestWords.ts"

/** Answers from the index and the settings. */
const localLimitMillis = 15_000

/** Answers that may wait for the service, or remove many contracts: a little more than a call's whole deadline. */
const remoteLimitMillis = 130_000

/** Wait before a lost port is opened again; doubled each time, up to the longest. */
const reconnectMillis = { first: 250, longest: 8_000 } as const

export interface Background {
  /** Rejects when the background does not answer. An error of the catalogue is an answer. */
  readonly ask: <Request extends PageRequest>(request: Request) => Promise<PageAnswers[Request["type"]]>
  /** Hands out the state at once and at every change, until the returned function is called. */
  readonly watch: (onState: (state: AppState) => void) => () => void
  /** Runs the connection test. `onEnd` is called once, also when the test was cut off; the returned function gives it up. */
  readonly test: (onStage: (stage: TestStage) => void, onEnd: () => void) => () => void
}

const takesLong = (request: PageRequest): boolean =>
  request.type === "page.setAddress" ||
  request.type === "page.setKey" ||
  request.type === "page.apiKeys" ||
  request.type === "page.decideList" ||
  (request.type === "page.contract" && request.refresh)

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

/** Opens the state port again when the browser has stopped the background, but only while somebody looks at the page. */
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

/** Puts the findings of one connection test into words. */
type Words = (onStage: (stage: TestStage) => void) => (finding: TestFinding) => void

const testing =
  (words: Words): Background["test"] =>
  (onStage, onEnd) => {
    const port = browser.runtime.connect({ name: ports.connectionTest })
    port.onMessage.addListener(words(onStage))
    port.onDisconnect.addListener(onEnd)
    return () => port.disconnect()
  }

/** A page that shows the connection test brings the words for it. */
export const make = (words: Words = () => () => {}): Background => ({ ask, watch, test: testing(words) })
