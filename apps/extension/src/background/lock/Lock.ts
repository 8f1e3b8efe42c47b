/**
 * The lock: a secret that seals every API key, wrapped by a passphrase. While the lock is open, the secret is in memory that ends with the
 * browser's session; while it is locked, the unwrapped secret is nowhere. It locks itself after some minutes without use, by its own alarm and
 * the time of the last use: to ask the browser whether the machine is idle would need a permission, and would not show whether the extension
 * is used. Knows no account and no API key.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import type { LockState } from "../../messages/AppState.ts"
import type { UserError } from "../../messages/UserError.ts"
import * as Base64 from "./Base64.ts"
import { Changes } from "../browser/Changes.ts"
import * as LockDelay from "./LockDelay.ts"
import * as Passphrase from "./Passphrase.ts"
import { Platform } from "../browser/Platform.ts"
import { actionError } from "../../failures/ActionFailure.ts"
import { SharedStore } from "../browser/Storage.ts"

/** What keys are sealed with: the browser's own means if there is no passphrase. */
type Vault =
  | { readonly _tag: "NoPassphrase" }
  | { readonly _tag: "Open"; readonly sealing: CryptoKey }
  /** `isNew` if this very check has locked it. */
  | { readonly _tag: "Locked"; readonly isNew: boolean }

export interface Service {
  readonly vault: Effect.Effect<Vault>
  readonly state: Effect.Effect<LockState>
  /** Records that a page was used: the minutes begin anew. */
  readonly used: Effect.Effect<void>
  readonly unlock: (passphrase: Redacted.Redacted) => Effect.Effect<void, UserError>
  readonly lock: Effect.Effect<void>
  /** Sets the first passphrase, or a new one; `current` is the previous one. */
  readonly set: (
    passphrase: Redacted.Redacted,
    current: Redacted.Redacted | null,
  ) => Effect.Effect<void, UserError>
  /** Fails unless the passphrase is right. A wrong one counts as it does when unlocking. */
  readonly prove: (passphrase: Redacted.Redacted) => Effect.Effect<void, UserError>
  readonly setAfter: (minutes: number | null) => Effect.Effect<void>
  /** Removes the lock with all its data. Everything that is sealed with its secret is lost. */
  readonly drop: Effect.Effect<void>
}

interface LockRecord {
  readonly wrapped: Passphrase.Wrapped
  readonly afterMinutes: number | null
}

/** The value in the session's memory while the lock is open. */
interface Opened {
  readonly secret: string
  /** Epoch milliseconds of the last use. */
  readonly usedAt: number
}

/** Whether the minutes without use are over. A clock that was set back by as much counts, too: it does not show how long it was. */
const isDue = ({ afterMinutes }: LockRecord, { usedAt }: Opened, now: number): boolean =>
  afterMinutes !== null && Math.abs(now - usedAt) >= afterMinutes * 60_000

const recordKey = "lock"
const attemptsKey = "lockAttempts"
const openedKey = "lock"

/** Minutes without use, unless the user chooses otherwise. */
const usualMinutes = 15

/** Uses within this time count as one. */
const oneUseMillis = 10_000

const make = Effect.gen(function* () {
  const store = yield* SharedStore
  const changes = yield* Changes
  const { alarms, session, text } = yield* Platform
  const oneAtATime = yield* Semaphore.make(1)
  let known: LockRecord | null | undefined
  /** The secret as a key, with the text that it was made from. */
  let sealing: { readonly secret: string; readonly key: CryptoKey } | null = null

  const record = Effect.promise(async () => {
    if (known === undefined) known = ((await store.get("keys", recordKey)) as LockRecord | undefined) ?? null
    return known
  })
  const keep = (next: LockRecord): Effect.Effect<void> =>
    Effect.promise(async () => {
      await store.put("keys", recordKey, next)
      known = next
    })
  const opened = Effect.promise(async () => (await session.get(openedKey)) as Opened | undefined)
  const attemptsAt = (now: number): Effect.Effect<LockDelay.Attempts> =>
    Effect.promise(async () => {
      const kept =
        ((await store.get("settings", attemptsKey)) as LockDelay.Attempts | undefined) ?? LockDelay.none
      const settled = LockDelay.settled(kept, now)
      if (settled !== kept) await store.put("settings", attemptsKey, settled)
      return settled
    })

  const lock = Effect.gen(function* () {
    sealing = null
    yield* Effect.promise(async () => {
      await session.remove(openedKey)
      await alarms.clear("lock")
    })
    changes.tell()
  })
  const open = (secret: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      const usedAt = yield* Clock.currentTimeMillis
      const minutes = (yield* record)?.afterMinutes ?? null
      yield* Effect.promise(async () => {
        await session.set(openedKey, { secret, usedAt } satisfies Opened)
        await (minutes === null
          ? alarms.clear("lock")
          : alarms.set("lock", { at: usedAt + minutes * 60_000 }))
      })
    })

  const vault: Effect.Effect<Vault> = Effect.gen(function* () {
    const locked = yield* record
    if (locked === null) return { _tag: "NoPassphrase" }
    const kept = yield* opened
    if (kept === undefined) return { _tag: "Locked", isNew: false }
    if (isDue(locked, kept, yield* Clock.currentTimeMillis)) {
      yield* lock
      return { _tag: "Locked", isNew: true }
    }
    if (sealing?.secret !== kept.secret) {
      const key = yield* Effect.promise(() => Passphrase.sealingKey(Base64.decode(kept.secret)))
      sealing = { secret: kept.secret, key }
    }
    return { _tag: "Open", sealing: sealing.key }
  })

  /** The secret, for the right passphrase. The attempt is counted before it is made. */
  const attempt = (passphrase: Redacted.Redacted): Effect.Effect<Uint8Array<ArrayBuffer>, UserError> =>
    oneAtATime.withPermit(
      Effect.gen(function* () {
        const locked = yield* record
        if (locked === null) return yield* Effect.fail(actionError(text, "PassphraseMissing"))
        const now = yield* Clock.currentTimeMillis
        const before = yield* attemptsAt(now)
        const wait = LockDelay.remaining(before, now)
        if (wait > 0) return yield* Effect.fail(actionError(text, "PassphraseTooSoon", [], [seconds(wait)]))
        const counted = LockDelay.after(before, now)
        yield* Effect.promise(() => store.put("settings", attemptsKey, counted))
        const secret = yield* Effect.promise(() => Passphrase.unwrap(locked.wrapped, passphrase))
        if (secret === null) {
          changes.tell()
          const delay = LockDelay.remaining(counted, now)
          return yield* Effect.fail(actionError(text, "PassphraseWrong", [], [seconds(delay)]))
        }
        yield* Effect.promise(() => store.remove("settings", attemptsKey))
        return secret
      }),
    )
  const seconds = (millis: number): string => String(Math.ceil(millis / 1_000))

  return Lock.of({
    vault,
    state: Effect.gen(function* () {
      const locked = yield* record
      const now = yield* Clock.currentTimeMillis
      const wait =
        locked === null ? 0 : LockDelay.remaining(yield* oneAtATime.withPermit(attemptsAt(now)), now)
      return {
        isSet: locked !== null,
        afterMinutes: locked === null ? usualMinutes : locked.afterMinutes,
        waitUntil: wait === 0 ? null : new Date(now + wait).toISOString(),
      }
    }),
    used: Effect.gen(function* () {
      const locked = yield* record
      const kept = locked === null ? undefined : yield* opened
      if (locked === null || kept === undefined) return
      const now = yield* Clock.currentTimeMillis
      // A use after the minutes are over does not begin them anew: the lock is due, but was not checked since.
      if (now - kept.usedAt >= oneUseMillis && !isDue(locked, kept, now)) yield* open(kept.secret)
    }),
    unlock: (passphrase) =>
      Effect.gen(function* () {
        yield* open(Base64.encode(yield* attempt(passphrase)))
        changes.tell()
      }),
    lock: Effect.flatMap(record, (locked) => (locked === null ? Effect.void : lock)),
    set: (passphrase, current) =>
      Effect.gen(function* () {
        const before = yield* record
        if (before !== null && current === null) {
          return yield* Effect.fail(actionError(text, "PassphraseSet"))
        }
        const secret = current === null ? Passphrase.makeSecret() : yield* attempt(current)
        const wrapped = yield* Effect.promise(() => Passphrase.wrap(secret, passphrase))
        yield* keep({ wrapped, afterMinutes: before === null ? usualMinutes : before.afterMinutes })
        yield* open(Base64.encode(secret))
        changes.tell()
      }),
    prove: (passphrase) => Effect.asVoid(attempt(passphrase)),
    setAfter: (afterMinutes) =>
      Effect.gen(function* () {
        const before = yield* record
        const kept = yield* opened
        if (before === null || kept === undefined) return
        yield* keep({ ...before, afterMinutes })
        yield* open(kept.secret)
        changes.tell()
      }),
    drop: Effect.gen(function* () {
      yield* Effect.promise(async () => {
        await store.remove("keys", recordKey)
        await store.remove("settings", attemptsKey)
      })
      known = null
      yield* lock
    }),
  })
})

export class Lock extends Context.Service<Lock, Service>()("@deedkit/extension/Lock") {
  static readonly make = make
}
