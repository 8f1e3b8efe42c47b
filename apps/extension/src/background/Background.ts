/**
 * The background: messages and events of the browser, each handled for the account in use. All messages pass one check, first of the sender and then of
 * the shape; other senders get no answer. Accounts are chosen, removed, imported and cleared while none is open; they are added and renamed while one
 * is in use. This module calls no browser; the entry point connects it to the real one.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Semaphore from "effect/Semaphore"
import * as Layers from "./Layers.ts"
import { Platform, quietTabs, Changes } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { Schedule } from "./Schedule.ts"
import * as SetUp from "./SetUp.ts"
import { Sites } from "./Sites.ts"
import { state } from "./State.ts"
import { Sync } from "./Sync.ts"
import type { AppState } from "../messages/AppState.ts"
import { ports } from "../messages/PageMessage.ts"
import type { PageAnswers, UserError } from "../messages/PageMessage.ts"
import { readListingRequest, readPageRequest } from "../messages/Requests.ts"
import type { ListingAnswers } from "../messages/ListingMessage.ts"
import type { ListingRequest, PageRequest } from "../messages/Requests.ts"
import * as Sender from "../messages/Sender.ts"
import type { RawSender } from "../messages/Sender.ts"
import { Accounts } from "./Accounts.ts"
import * as ConnectionTest from "./ConnectionTest.ts"
import type { SharedServices } from "./Layers.ts"
import * as ListingRequests from "./ListingRequests.ts"
import { TabQuota } from "./ListingRequests.ts"
import * as PageRequests from "./PageRequests.ts"
import type { Service as PlatformService } from "./Platform.ts"
import { importSettings, readSettings } from "./SettingsImport.ts"
import * as State from "./State.ts"

interface OpenAccount {
  /** Undefined if the account was closed meanwhile. */
  readonly run: <A>(work: Layers.Work<A>) => Promise<A | undefined>
  /** Closes the account, does the work while none is open, and lets the next use open it anew. */
  readonly change: <A>(work: () => Promise<A>) => Promise<A>
  /** Runs work in the account after all other work in it has ended, and closes the account. */
  readonly runLast: (work: Layers.Work<void>) => Promise<void>
  readonly close: () => Promise<void>
}

const openAccount = (shared: ManagedRuntime.ManagedRuntime<SharedServices, never>): OpenAccount => {
  let current: ManagedRuntime.ManagedRuntime<Layers.AccountServices, never> | null = null
  const oneAtATime = Semaphore.makeUnsafe(1)

  const inTurn = <A>(work: () => Promise<A>): Promise<A> =>
    Effect.runPromise(oneAtATime.withPermit(Effect.promise(work)))
  const open = async () => {
    const { current: id } = await shared.runPromise(Accounts.use(({ list }) => list))
    const context = Layer.succeedContext(await shared.context())
    return ManagedRuntime.make(Layer.provideMerge(Layers.ofAccount(id), context))
  }
  const close = async (): Promise<void> => {
    const closing = current
    current = null
    await closing?.dispose()
  }

  return {
    run: async (work) => {
      const runtime = await inTurn(async () => (current ??= await open()))
      const exit = await runtime.runPromiseExit(work)
      if (current !== runtime) return undefined
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    },
    change: (work) =>
      inTurn(async () => {
        await close()
        return work()
      }),
    runLast: (work) =>
      inTurn(async () => {
        await close()
        const runtime = await open()
        await runtime.runPromise(work)
        await runtime.dispose()
      }),
    close: () => inTurn(close),
  }
}

/** A page's port, as browsers provide it. */
interface Port {
  readonly name: string
  readonly sender?: RawSender | undefined
  readonly postMessage: (message: unknown) => void
  readonly disconnect: () => void
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void }
}

interface Router {
  /** The answer to a message; null if the message is not for the background or not allowed. */
  readonly onMessage: (message: unknown, sender: RawSender) => Promise<unknown> | null
  readonly onConnect: (port: Port) => void
  /** Answers a request that the background makes of itself, as one of a page; null for no answer. */
  readonly ask: <R extends PageRequest>(request: R) => Promise<PageAnswers[R["type"]] | null>
  /** Gives the state at once and at every change, until the returned function is called. */
  readonly follow: (take: (state: AppState) => void) => () => void
}

/** A change of the accounts. */
type Change = Effect.Effect<void, UserError, SharedServices>

/** Corrects scripts and alarms. */
const settle = Effect.gen(function* () {
  yield* (yield* Sites).settle
  yield* (yield* Schedule).settle
})

/** Sets scripts, alarms and the sync as the account that is open now requires. */
const arrive = Effect.gen(function* () {
  yield* settle
  yield* SetUp.resumeIfDue
  if ((yield* (yield* Sync).state)._tag === "Idle") yield* (yield* Refresh).recover
})

const makeRouter = (
  shared: ManagedRuntime.ManagedRuntime<SharedServices, never>,
  account: OpenAccount,
  { self, tabs }: PlatformService,
): Router => {
  const readState = async (): Promise<AppState> => {
    for (;;) {
      const open = await account.run(State.state)
      if (open !== undefined) return open
    }
  }

  /** Makes a change; null once it is made, or the error that prevented it. */
  const attempt = (change: Change): Promise<UserError | null> =>
    shared.runPromise(Effect.match(change, { onFailure: (error) => error, onSuccess: () => null }))

  /** Makes a change while no account is open, after which every page of a site asks anew. */
  const between = async (change: Change): Promise<AppState | UserError> => {
    const error = await account.change(() => attempt(change))
    if (error === null) await quietTabs(tabs, await tabs.all(), { type: "listing.changed" })
    void account.run(arrive).catch(() => {})
    return error ?? readState()
  }

  const answerPage = async (request: PageRequest): Promise<unknown> => {
    switch (request.type) {
      case "page.state":
        return readState()
      case "page.clear":
        await account.runLast(SetUp.clear)
        await account.change(() => shared.runPromise(Accounts.use(({ dropAll }) => dropAll)))
        return readState()
      case "page.addAccount":
        return (await attempt(Accounts.use(({ add }) => add(request.name)))) ?? readState()
      case "page.renameAccount":
        return (await attempt(Accounts.use(({ rename }) => rename(request.id, request.name)))) ?? readState()
      case "page.switchAccount":
        return between(Accounts.use(({ choose }) => choose(request.id)))
      case "page.removeAccount":
        return between(Accounts.use(({ remove }) => remove(request.id)))
      case "page.readSettings":
        return shared.runPromise(
          Effect.match(readSettings(request.text), {
            onFailure: (error) => error,
            onSuccess: (file) => file,
          }),
        )
      case "page.importSettings":
        return between(importSettings(request.text))
      default:
        return account.run(PageRequests.answer(request))
    }
  }

  const runTest = (port: Port): void => {
    const end = new AbortController()
    port.onDisconnect.addListener(() => end.abort())
    const test = ConnectionTest.run((finding) => port.postMessage(finding))
    void account
      .run(Effect.raceFirst(test, aborted(end.signal)))
      .catch(() => {})
      .then(() => port.disconnect())
  }
  const follow: Router["follow"] = (take) => {
    const feed = State.follow(readState, take)
    const watching = shared.runPromise(Changes.useSync(({ watch }) => watch(feed.changed)))
    feed.changed()
    return () => {
      feed.end()
      void watching.then((end) => end())
    }
  }

  return {
    ask: async (request) => ((await answerPage(request)) ?? null) as never,
    follow,
    onMessage: (message, rawSender) => {
      const sender = Sender.of(rawSender, self)
      if (sender?._tag === "Page") {
        const request = readPageRequest(message)
        return request === null ? null : answerPage(request)
      }
      const request = sender === null ? null : readListingRequest(message)
      if (sender === null || request === null) return null
      return account
        .run(ListingRequests.answer(request, sender))
        .then((answer): ListingAnswers[ListingRequest["type"]] => answer ?? null)
    },
    onConnect: (port) => {
      const isPage = port.sender !== undefined && Sender.of(port.sender, self)?._tag === "Page"
      if (isPage && port.name === ports.state)
        port.onDisconnect.addListener(follow((value) => port.postMessage(value)))
      else if (isPage && port.name === ports.connectionTest) runTest(port)
      else port.disconnect()
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

export interface Background extends Router {
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

const update = Effect.gen(function* () {
  yield* settle
  // Open pages have scripts of the previous version, which cannot be told to remove their badges.
  yield* (yield* Sites).revive
  yield* SetUp.resumeIfDue
})

const grantsChanged = Effect.gen(function* () {
  const { tabs } = yield* Platform
  yield* (yield* Sites).settle
  tabs.send(yield* Effect.promise(tabs.all), { type: "listing.changed" })
  ;(yield* Changes).tell()
  yield* SetUp.resumeIfDue
})

const online = Effect.gen(function* () {
  ;(yield* Changes).tell()
  const { connection } = yield* state
  if (connection._tag === "Ready") yield* SetUp.resumeIfDue
})

/** What each alarm starts. */
const alarms: { readonly [name: string]: Layers.Work<void> } = {
  sync: Schedule.use(({ complete }) => complete),
  head: Schedule.use(({ head }) => head(false)),
  resume: Sync.use(({ resume }) => resume),
  recover: Refresh.use(({ recover }) => recover),
}

export const make = (surroundings: Layers.Surroundings): Background => {
  const { platform } = surroundings
  const shared = ManagedRuntime.make(Layers.shared(surroundings))
  const account = openAccount(shared)
  const run = async (work: Layers.Work<void>): Promise<void> => {
    await account.run(work)
  }

  return {
    ...makeRouter(shared, account, platform),
    onAlarm: async (name) => {
      const work = alarms[name]
      if (work !== undefined) await run(work)
    },
    onInstalled: async (reason) => {
      if (reason !== "install") return run(update)
      await run(settle)
      await platform.tabs.open("/welcome.html")
    },
    onStartup: () => run(Effect.andThen(settle, SetUp.resumeIfDue)),
    onGrantsChanged: () => run(grantsChanged),
    onTabRemoved: (tabId) =>
      run(
        Effect.andThen(
          TabQuota.use(({ leave }) => leave(tabId)),
          Sites.use(({ endOnce }) => endOnce(tabId)),
        ),
      ),
    onOnline: () => run(online),
    onWake: () => run(Sync.use(({ resume }) => resume)),
    close: async () => {
      await account.close()
      await shared.dispose()
    },
  }
}
