/**
 * The background: its services put together, and what each event of the browser means to them. Messages pass one gate, which looks at the
 * sender before the shape, and answers nothing to anyone else. Knows no browser; the entry point hangs it up on the real one.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { Database } from "../index/Database.ts"
import { isListingRequest } from "../messages/ListingSchema.ts"
import { ports } from "../messages/PageMessage.ts"
import { isPageRequest } from "../messages/PageSchema.ts"
import * as Sender from "../messages/Sender.ts"
import type { RawSender } from "../messages/Sender.ts"
import { ApiKeyList } from "./ApiKeyList.ts"
import { Changes } from "./Changes.ts"
import { Connection } from "./Connection.ts"
import { ConnectionTest } from "./ConnectionTest.ts"
import { IndexWalk } from "./IndexWalk.ts"
import { Keys } from "./KeyStore.ts"
import { ListingRequests } from "./ListingRequests.ts"
import { PageRequests } from "./PageRequests.ts"
import { Platform } from "./Platform.ts"
import type { AlarmName, Service as PlatformService } from "./Platform.ts"
import { Profiles } from "./Profile.ts"
import { Refresh } from "./Refresh.ts"
import { SetUp } from "./SetUp.ts"
import { Sites } from "./Sites.ts"
import { StateFeed } from "./StateFeed.ts"
import * as StatePort from "./StatePort.ts"
import { Index, Store } from "./Storage.ts"
import { Troubles } from "./Trouble.ts"
import { Visitors } from "./Visitors.ts"

/** A connection of a page, as browsers give it. */
export interface Port {
  readonly name: string
  readonly sender?: RawSender | undefined
  readonly postMessage: (message: unknown) => void
  readonly disconnect: () => void
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void }
}

export interface Background {
  /** Whether the message is answered, and with what; null when it is not for us or not allowed. */
  readonly onMessage: (message: unknown, sender: RawSender) => Promise<unknown> | null
  readonly onConnect: (port: Port) => void
  readonly onAlarm: (name: string) => Promise<void>
  readonly onInstalled: (reason: string) => Promise<void>
  readonly onStartup: () => Promise<void>
  readonly onGrantsChanged: () => Promise<void>
  readonly onTabRemoved: (tabId: number) => Promise<void>
  readonly onOnline: () => Promise<void>
  /** Goes on with what a stopped background left. */
  readonly onWake: () => Promise<void>
  readonly close: () => Promise<void>
}

const services = ListingRequests.layer.pipe(
  Layer.provideMerge(PageRequests.layer),
  Layer.provideMerge(Layer.mergeAll(Visitors.layer, ConnectionTest.layer, StateFeed.layer, SetUp.layer)),
  Layer.provideMerge(Layer.mergeAll(IndexWalk.layer, Refresh.layer, ApiKeyList.layer)),
  Layer.provideMerge(Layer.mergeAll(Connection.layer, Sites.layer)),
  Layer.provideMerge(Layer.mergeAll(Keys.layer, Profiles.layer, Troubles.layer)),
  Layer.provideMerge(Layer.mergeAll(Changes.layer, Index.layer)),
)

export interface Surroundings {
  readonly platform: PlatformService
  readonly database: Database
  /** Default: the machine's. */
  readonly clock?: Clock.Clock
}

const layer = ({ clock, database, platform }: Surroundings) => {
  const given = Layer.mergeAll(Layer.succeed(Platform, platform), Layer.succeed(Store, database))
  const base = clock === undefined ? given : Layer.merge(given, Layer.succeed(Clock.Clock, clock))
  return services.pipe(Layer.provideMerge(base))
}

export const make = (surroundings: Surroundings): Background => {
  const runtime = ManagedRuntime.make(layer(surroundings))
  const { platform } = surroundings
  const { self } = platform

  const runTest = (port: Port): void => {
    const test = ConnectionTest.use(({ run }) => run((stage) => port.postMessage(stage)))
    const fiber = runtime.runFork(
      Effect.ensuring(
        test,
        Effect.sync(() => port.disconnect()),
      ),
    )
    port.onDisconnect.addListener(() => void Effect.runPromise(Fiber.interrupt(fiber)))
  }
  const sendState = (port: Port): void => {
    const state = () => runtime.runPromise(StateFeed.use((feed) => feed.state))
    const feed = StatePort.make(state, (value) => port.postMessage(value))
    const watching = runtime.runPromise(Changes.useSync(({ watch }) => watch(feed.changed)))
    feed.changed()
    port.onDisconnect.addListener(() => {
      feed.end()
      void watching.then((end) => end())
    })
  }
  const onGrantsChanged = Effect.gen(function* () {
    yield* (yield* Sites).settle
    const tabs = yield* Effect.promise(platform.tabs.all)
    yield* Effect.promise(() =>
      Promise.all(tabs.map((tabId) => platform.tabs.send(tabId, { type: "listing.changed" }))),
    )
    ;(yield* Changes).tell()
    yield* (yield* SetUp).goOnIfDue
  })
  const onAlarm = (name: AlarmName): Effect.Effect<void, never, IndexWalk | Refresh> => {
    switch (name) {
      case "walk":
        return IndexWalk.use(({ start }) => start)
      case "resume":
        return IndexWalk.use(({ resume }) => resume)
      case "recover":
        return Refresh.use(({ recover }) => recover)
    }
  }
  const settle = Effect.gen(function* () {
    yield* (yield* Sites).settle
    yield* (yield* SetUp).settleAlarm
  })

  return {
    onMessage: (message, rawSender) => {
      const sender = Sender.of(rawSender, self)
      if (sender?._tag === "Page" && isPageRequest(message)) {
        return runtime.runPromise(PageRequests.use(({ answer }) => answer(message)))
      }
      if (sender?._tag === "Site" && isListingRequest(message)) {
        return runtime.runPromise(ListingRequests.use(({ answer }) => answer(message, sender)))
      }
      return null
    },
    onConnect: (port) => {
      const isPage = port.sender !== undefined && Sender.of(port.sender, self)?._tag === "Page"
      if (isPage && port.name === ports.state) sendState(port)
      else if (isPage && port.name === ports.connectionTest) runTest(port)
      else port.disconnect()
    },
    onAlarm: (name) => runtime.runPromise(onAlarm(name as AlarmName)),
    onInstalled: (reason) =>
      runtime.runPromise(
        Effect.gen(function* () {
          yield* settle
          if (reason === "install") yield* Effect.promise(() => platform.tabs.open("/welcome.html"))
          else yield* (yield* Sites).revive
        }),
      ),
    onStartup: () =>
      runtime.runPromise(
        Effect.andThen(
          settle,
          SetUp.use(({ goOnIfDue }) => goOnIfDue),
        ),
      ),
    onGrantsChanged: () => runtime.runPromise(onGrantsChanged),
    onTabRemoved: (tabId) => runtime.runPromise(Visitors.use(({ leave }) => leave(tabId))),
    onOnline: () =>
      runtime.runPromise(
        Effect.gen(function* () {
          ;(yield* Changes).tell()
          const { standing } = yield* (yield* StateFeed).state
          if (standing._tag === "Ready") yield* (yield* SetUp).goOnIfDue
        }),
      ),
    onWake: () => runtime.runPromise(IndexWalk.use(({ resume }) => resume)),
    close: () => runtime.dispose(),
  }
}
