/**
 * The background: handles each message and each event of the browser for the account in use. All messages pass one check, first of the sender and
 * then of the shape; other senders get no answer. This module calls no browser; the entry point connects it to the real one.
 */
import * as Effect from "effect/Effect"
import { isListingRequest } from "../messages/ListingSchema.ts"
import { ports } from "../messages/PageMessage.ts"
import type { PageRequest } from "../messages/PageMessage.ts"
import { isPageRequest } from "../messages/PageSchema.ts"
import * as Sender from "../messages/Sender.ts"
import type { RawSender } from "../messages/Sender.ts"
import * as AccountRequests from "./AccountRequests.ts"
import { Changes } from "./browser/Changes.ts"
import { quietTabs } from "./browser/Platform.ts"
import { ConnectionTest } from "./connection/ConnectionTest.ts"
import { IndexSync } from "./sync/IndexSync.ts"
import { ListingRequests } from "./requests/ListingRequests.ts"
import { TemporaryGrants } from "./sites/TemporaryGrants.ts"
import * as OpenAccount from "./OpenAccount.ts"
import { PageRequests } from "./requests/PageRequests.ts"
import { Refresh } from "./sync/Refresh.ts"
import * as Runtime from "./Runtime.ts"
import * as Services from "./Services.ts"
import { Schedule } from "./sync/Schedule.ts"
import { SetUp } from "./requests/SetUp.ts"
import { Sites } from "./sites/Sites.ts"
import { StateFeed } from "./requests/StateFeed.ts"
import * as StatePort from "./requests/StatePort.ts"
import { TabQuota } from "./sites/TabQuota.ts"

/** A page's port, as browsers provide it. */
interface Port {
  readonly name: string
  readonly sender?: RawSender | undefined
  readonly postMessage: (message: unknown) => void
  readonly disconnect: () => void
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void }
}

export interface Background {
  /** The answer to a message; null if the message is not for the background or not allowed. */
  readonly onMessage: (message: unknown, sender: RawSender) => Promise<unknown> | null
  readonly onConnect: (port: Port) => void
  readonly onAlarm: (name: string) => Promise<void>
  readonly onInstalled: (reason: string) => Promise<void>
  readonly onStartup: () => Promise<void>
  readonly onGrantsChanged: () => Promise<void>
  readonly onTabRemoved: (tabId: number) => Promise<void>
  readonly onOnline: () => Promise<void>
  /** Resumes what a stopped background left unfinished. */
  readonly onWake: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Corrects scripts and alarms. */
const settle = Effect.gen(function* () {
  yield* (yield* Sites).settle
  yield* (yield* Schedule).settle
})

/** Open pages have scripts of the previous version, which cannot be told to remove their badges. */
const replaceScripts = Effect.andThen(
  settle,
  Sites.use(({ revive }) => revive),
)

const resumeIfDue = SetUp.use(({ resumeIfDue }) => resumeIfDue)

export const make = (surroundings: Services.Surroundings): Background => {
  const { platform } = surroundings
  const { self } = platform
  const shared = Runtime.start(Services.shared(surroundings))

  /** Makes every page of a site ask anew, and clears its number on the toolbar. */
  const tellTabs = async (): Promise<void> =>
    quietTabs(platform.tabs, await platform.tabs.all(), { type: "listing.changed" })
  const account = OpenAccount.make(shared)
  const { run } = account
  const accounts = AccountRequests.make(shared, account, tellTabs)

  /** Runs work whose answer is not needed. */
  const runAway = async (work: Parameters<typeof run<void>>[0]): Promise<void> => {
    await run(work)
  }
  const answerPage = (request: PageRequest): Promise<unknown> => {
    if (request.type === "page.state") return accounts.state()
    return AccountRequests.isOurs(request)
      ? accounts.answer(request)
      : run(PageRequests.use(({ answer }) => answer(request)))
  }
  const runTest = (port: Port): void => {
    const ending = new AbortController()
    port.onDisconnect.addListener(() => ending.abort())
    const test = ConnectionTest.use(({ run }) => run((stage) => port.postMessage(stage)))
    const whole = Effect.raceFirst(test, aborted(ending.signal))
    void run(whole)
      .catch(() => {})
      .then(() => port.disconnect())
  }
  const sendState = (port: Port): void => {
    const feed = StatePort.make(accounts.state, (value) => port.postMessage(value))
    const watching = shared.run(Changes.useSync(({ watch }) => watch(feed.changed)))
    feed.changed()
    port.onDisconnect.addListener(() => {
      feed.end()
      void watching.then((end) => end())
    })
  }
  const onGrantsChanged = Effect.gen(function* () {
    yield* (yield* Sites).settle
    platform.tabs.send(yield* Effect.promise(platform.tabs.all), { type: "listing.changed" })
    ;(yield* Changes).tell()
    yield* (yield* SetUp).resumeIfDue
  })
  const onAlarm = async (name: string): Promise<void> => {
    switch (name) {
      case "sync":
        return runAway(Schedule.use(({ complete }) => complete))
      case "head":
        return runAway(Schedule.use(({ head }) => head(false)))
      case "resume":
        return runAway(IndexSync.use(({ resume }) => resume))
      case "recover":
        return runAway(Refresh.use(({ recover }) => recover))
    }
  }

  return {
    onMessage: (message, rawSender) => {
      const sender = Sender.of(rawSender, self)
      if (sender?._tag === "Page" && isPageRequest(message)) return answerPage(message)
      if (sender?._tag === "Site" && isListingRequest(message)) {
        return run(ListingRequests.use(({ answer }) => answer(message, sender))).then(
          (answer) => answer ?? null,
        )
      }
      return null
    },
    onConnect: (port) => {
      const isPage = port.sender !== undefined && Sender.of(port.sender, self)?._tag === "Page"
      if (isPage && port.name === ports.state) sendState(port)
      else if (isPage && port.name === ports.connectionTest) runTest(port)
      else port.disconnect()
    },
    onAlarm,
    onInstalled: async (reason) => {
      if (reason === "install") {
        await runAway(settle)
        await platform.tabs.open("/welcome.html")
      } else await runAway(Effect.andThen(replaceScripts, resumeIfDue))
    },
    onStartup: () => runAway(Effect.andThen(settle, resumeIfDue)),
    onGrantsChanged: () => runAway(onGrantsChanged),
    onTabRemoved: (tabId) =>
      runAway(
        Effect.andThen(
          TabQuota.use(({ leave }) => leave(tabId)),
          TemporaryGrants.use(({ leave }) => leave(tabId)),
        ),
      ),
    onOnline: () =>
      runAway(
        Effect.gen(function* () {
          ;(yield* Changes).tell()
          const { connection } = yield* (yield* StateFeed).state
          if (connection._tag === "Ready") yield* (yield* SetUp).resumeIfDue
        }),
      ),
    onWake: () => runAway(IndexSync.use(({ resume }) => resume)),
    close: async () => {
      await account.close()
      await shared.close()
    },
  }
}

/** Completes when the signal is aborted. */
const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const end = () => resume(Effect.void)
    if (signal.aborted) end()
    else signal.addEventListener("abort", end)
  })
