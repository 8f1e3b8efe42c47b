/**
 * Answers messages. All pass one check, first of the sender and then of the shape; other senders get no answer. A request is answered for the account
 * in use, but for those that choose, add, remove or clear accounts: they are carried out while none is open.
 */
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import type { AppState } from "../messages/AppState.ts"
import { ports } from "../messages/PageMessage.ts"
import { readListingRequest, readPageRequest } from "../messages/Requests.ts"
import type { PageRequest } from "../messages/Requests.ts"
import * as Sender from "../messages/Sender.ts"
import type { RawSender } from "../messages/Sender.ts"
import type { UserError } from "../messages/UserError.ts"
import { Accounts } from "./Accounts.ts"
import * as ConnectionTest from "./ConnectionTest.ts"
import type { SharedServices } from "./Layers.ts"
import * as ListingRequests from "./ListingRequests.ts"
import type { OpenAccount } from "./OpenAccount.ts"
import * as PageRequests from "./PageRequests.ts"
import { quietTabs } from "./Platform.ts"
import type { Service as Platform } from "./Platform.ts"
import { Refresh } from "./Refresh.ts"
import { Schedule } from "./Schedule.ts"
import { importSettings, readSettings } from "./SettingsImport.ts"
import * as SetUp from "./SetUp.ts"
import { Sites } from "./Sites.ts"
import * as State from "./State.ts"
import { Changes } from "./Storage.ts"
import { Sync } from "./Sync.ts"

/** A page's port, as browsers provide it. */
interface Port {
  readonly name: string
  readonly sender?: RawSender | undefined
  readonly postMessage: (message: unknown) => void
  readonly disconnect: () => void
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void }
}

export interface Router {
  /** The answer to a message; null if the message is not for the background or not allowed. */
  readonly onMessage: (message: unknown, sender: RawSender) => Promise<unknown> | null
  readonly onConnect: (port: Port) => void
}

/** A change of the accounts. */
type Change = Effect.Effect<void, UserError, SharedServices>

/** Sets scripts, alarms and the sync as the account that is open now requires. */
const arrive = Effect.gen(function* () {
  yield* (yield* Sites).settle
  yield* (yield* Schedule).settle
  yield* SetUp.resumeIfDue
  if ((yield* (yield* Sync).state)._tag === "Idle") yield* (yield* Refresh).recover
})

export const make = (
  shared: ManagedRuntime.ManagedRuntime<SharedServices, never>,
  account: OpenAccount,
  { self, tabs }: Platform,
): Router => {
  const state = async (): Promise<AppState> => {
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
    return error ?? state()
  }

  const answerPage = async (request: PageRequest): Promise<unknown> => {
    switch (request.type) {
      case "page.state":
        return state()
      case "page.clear":
        await account.runLast(SetUp.clear)
        await account.change(() => shared.runPromise(Accounts.use(({ dropAll }) => dropAll)))
        return state()
      case "page.addAccount":
        return (await attempt(Accounts.use(({ add }) => add(request.name)))) ?? state()
      case "page.renameAccount":
        return (await attempt(Accounts.use(({ rename }) => rename(request.id, request.name)))) ?? state()
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
  const sendState = (port: Port): void => {
    const feed = State.follow(state, (value) => port.postMessage(value))
    const watching = shared.runPromise(Changes.useSync(({ watch }) => watch(feed.changed)))
    feed.changed()
    port.onDisconnect.addListener(() => {
      feed.end()
      void watching.then((end) => end())
    })
  }

  return {
    onMessage: (message, rawSender) => {
      const sender = Sender.of(rawSender, self)
      if (sender?._tag === "Page") {
        const request = readPageRequest(message)
        return request === null ? null : answerPage(request)
      }
      const request = sender === null ? null : readListingRequest(message)
      if (sender === null || request === null) return null
      return account.run(ListingRequests.answer(request, sender)).then((answer) => answer ?? null)
    },
    onConnect: (port) => {
      const isPage = port.sender !== undefined && Sender.of(port.sender, self)?._tag === "Page"
      if (isPage && port.name === ports.state) sendState(port)
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
