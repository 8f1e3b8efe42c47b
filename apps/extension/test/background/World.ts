/** A background with a browser, a service and a clock around it, all in this process, and the ways in which pages and sites reach it. */
import * as emulation from "@deedkit/emulator"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { IDBFactory, IDBKeyRange } from "fake-indexeddb"
import * as Background from "../../src/background/Background.ts"
import * as Database from "../../src/index/Database.ts"
import * as PageIndex from "../../src/index/PageIndex.ts"
import type { AppState } from "../../src/messages/AppState.ts"
import type { ListingAnswers } from "../../src/messages/ListingMessage.ts"
import type { ListingRequest } from "../../src/messages/Requests.ts"
import type { PageAnswers } from "../../src/messages/PageMessage.ts"
import type { PageRequest } from "../../src/messages/Requests.ts"
import type { RawSender } from "../../src/messages/Sender.ts"
import * as FakePlatform from "./FakePlatform.ts"
import * as HandClock from "./HandClock.ts"

globalThis.IDBKeyRange = IDBKeyRange

export const baseUrl = "https://api.example.test"
export const apiPattern = `${baseUrl}/*`
export const site = "https://homes.example"
export const sitePattern = `${site}/*`
export const startMillis = Date.parse("2026-03-01T14:00:00Z")

/** The popup, as browsers present it. */
export const page: RawSender = {
  id: FakePlatform.self.id,
  url: `${FakePlatform.self.origin}/popup.html`,
  origin: FakePlatform.self.origin,
}

/** The content script of a tab, as browsers present it. */
export const tab = (id: number, origin = site): RawSender => ({
  id: FakePlatform.self.id,
  url: `${origin}/homes`,
  origin,
  frameId: 0,
  tab: { id },
})

export interface World {
  readonly platform: FakePlatform.FakePlatform
  readonly emulator: Emulator
  readonly clock: HandClock.HandClock
  /** Whether the browser has room to store anything more, and after how many writes it has none. */
  readonly disk: { isFull: boolean; writesLeft: number }
  /** Of the first account, unless another one is asked for. */
  readonly database: (account?: string) => Database.Database
  readonly background: () => Background.Background
  /** What a page reads. */
  readonly index: PageIndex.PageIndex
  readonly ask: <R extends PageRequest>(request: R) => Promise<PageAnswers[R["type"]]>
  readonly askAs: <R extends ListingRequest>(
    sender: RawSender,
    request: R,
  ) => Promise<ListingAnswers[R["type"]] | "nothing">
  /** The state, once it is as the test waits for. */
  readonly until: (isReached: (state: AppState) => boolean) => Promise<AppState>
  /** The same while time passes, a second every few turns. */
  readonly inTime: (isReached: (state: AppState) => boolean) => Promise<AppState>
  /** Stops the background where it is and wakes another one, as browsers do. */
  readonly kill: () => Promise<void>
  /** Adds an account and uses it. */
  readonly addAccount: (name: string) => Promise<AppState>
  /** Address granted and set, key set. */
  readonly setUp: (key?: string) => Promise<void>
}

/** A turn of the event loop, in which fibres and the database proceed. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** A database that reads, and writes as long as there is room. */
const onDisk = (disk: World["disk"], database: Database.Database): Database.Database => {
  const ifRoom =
    <A extends ReadonlyArray<unknown>, B>(write: (...given: A) => Promise<B>) =>
    async (...given: A): Promise<B> => {
      if (disk.isFull || disk.writesLeft < 1) throw new DOMException("no room", "QuotaExceededError")
      disk.writesLeft -= 1
      return write(...given)
    }
  return {
    ...database,
    writing: ifRoom(database.writing),
    put: ifRoom(database.put),
    remove: ifRoom(database.remove),
    clear: ifRoom(database.clear),
  }
}

const mostTurns = 5_000
const turnsOfSecond = 20
const turnsOfAnswer = 10

export const make = (options: EmulatorOptions = {}): World => {
  const emulator = emulation.make({ contracts: 250, ...options })
  const sound = emulation.make({ contracts: 0 })
  const platform = FakePlatform.make(async (request) => {
    // A state between two answers lasts longer than a look at it takes.
    for (let left = turnsOfAnswer; left > 0; left--) await turn()
    // The faults of a test are those of a service that was in order when its address was tried.
    return isTrial(request) ? sound.fetch(request) : emulator.fetch(request)
  })
  const clock = HandClock.make(startMillis)
  const factory = new IDBFactory()
  const disk = { isFull: false, writesLeft: Infinity }
  const databases = () => {
    const databaseOf = Database.each(factory)
    return (account: string) => onDisk(disk, databaseOf(account))
  }
  let databaseOf = databases()
  let background = Background.make({ platform, databaseOf, clock })
  const index = PageIndex.make(Database.each(factory, true))

  const ask = async <R extends PageRequest>(request: R): Promise<PageAnswers[R["type"]]> => {
    const answer = background.onMessage(request, page)
    if (answer === null) throw new Error(`${request.type} was not answered`)
    return (await answer) as PageAnswers[R["type"]]
  }
  const until = async (isReached: (state: AppState) => boolean, passes: boolean): Promise<AppState> => {
    for (let turns = 1; turns < mostTurns; turns++) {
      const state = await ask({ type: "page.state" })
      if (isReached(state)) return state
      if (passes && turns % turnsOfSecond === 0) clock.advance(1_000)
      await turn()
    }
    throw new Error(`never reached: ${JSON.stringify(await ask({ type: "page.state" }))}`)
  }
  return {
    platform,
    emulator,
    clock,
    disk,
    database: (account = Database.firstAccount) => databaseOf(account),
    background: () => background,
    index,
    ask,
    askAs: async <R extends ListingRequest>(sender: RawSender, request: R) => {
      const answer = background.onMessage(request, sender)
      return answer === null ? "nothing" : ((await answer) as ListingAnswers[R["type"]])
    },
    until: (isReached) => until(isReached, false),
    inTime: (isReached) => until(isReached, true),
    kill: async () => {
      await background.close()
      databaseOf = databases()
      // The pace and the pauses of the client are kept by clock, and end with the background.
      background = Background.make({ platform, databaseOf, clock: { ...clock } })
      await background.onWake()
    },
    addAccount: async (name) => {
      const added = (await ask({ type: "page.addAccount", name })) as AppState
      return ask({ type: "page.switchAccount", id: added.accounts.at(-1)!.id })
    },
    setUp: async (key = emulator.apiKey) => {
      platform.granted.add(apiPattern)
      await ask({ type: "page.setAddress", baseUrl })
      await ask({ type: "page.setKey", key })
    },
  }
}

/** Whether a request tries an address: it has no key. */
export const isTrial = ({ headers }: Request): boolean => headers.get("authorization") === "Bearer no-key-yet"

/** Nothing under way, and a sync has been complete. */
export const isSynced = ({ index, sync }: AppState): boolean =>
  sync._tag === "Idle" && index.completedAt !== null

/** Lets everything proceed that can do so without time. */
export const turns = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done++) await turn()
}
