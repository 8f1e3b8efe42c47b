/**
 * The background: messages, which the router answers, and events of the browser, each handled for the account in use. This module calls no browser;
 * the entry point connects it to the real one.
 */
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Layers from "./Layers.ts"
import * as OpenAccount from "./OpenAccount.ts"
import { Platform } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import * as Router from "./Router.ts"
import { Schedule } from "./Schedule.ts"
import * as SetUp from "./SetUp.ts"
import { Sites } from "./Sites.ts"
import { state } from "./State.ts"
import { Changes } from "./Storage.ts"
import { Sync } from "./Sync.ts"
import { TabQuota } from "./TabQuota.ts"

export interface Background extends Router.Router {
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
const alarms: { readonly [name: string]: OpenAccount.Work<void> } = {
  sync: Schedule.use(({ complete }) => complete),
  head: Schedule.use(({ head }) => head(false)),
  resume: Sync.use(({ resume }) => resume),
  recover: Refresh.use(({ recover }) => recover),
}

export const make = (surroundings: Layers.Surroundings): Background => {
  const { platform } = surroundings
  const shared = ManagedRuntime.make(Layers.shared(surroundings))
  const account = OpenAccount.make(shared)
  const run = async (work: OpenAccount.Work<void>): Promise<void> => {
    await account.run(work)
  }

  return {
    ...Router.make(shared, account, platform),
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
