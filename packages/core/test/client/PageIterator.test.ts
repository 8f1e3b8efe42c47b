import { getEventListeners } from "node:events"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { page } from "../../src/testing/Fixtures.ts"
import * as PageIterator from "../../src/internal/pageIterator.ts"
import type { Page } from "../../src/Page.ts"
import type { PagePuller } from "../../src/internal/pages.ts"

type Next<E> = Effect.Effect<Page<number> | null, E>
type Read<E = never> = Effect.Effect<PagePuller<number, E>, E>

/** A page with these numbers. */
const give = (...numbers: ReadonlyArray<number>): Effect.Effect<Page<number>> => Effect.succeed(page(numbers))

/** A read of these pages, then the end. */
const read = <E = never>(pages: ReadonlyArray<Next<E>>, close: Effect.Effect<void> = Effect.void): Read<E> =>
  Effect.sync(() => {
    let at = 0
    return { close, next: Effect.suspend(() => pages[at++] ?? Effect.succeed(null)) }
  })

const iterate = <E>(of: Read<E>, signals: ReadonlyArray<AbortSignal>) =>
  PageIterator.make(of, ({ records }) => records, signals)

const done = { done: true, value: undefined }

/** How a promise settled. */
const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  )

/** Gives 1 and 2 as one page, 3 as another, and then never anything more; counts how often it was begun and cancelled. */
const stuck = (close: Effect.Effect<void> = Effect.void) => {
  const state = { begun: 0, cancelled: 0, closed: 0 }
  const never: Next<never> = Effect.onInterrupt(
    Effect.andThen(
      Effect.sync(() => void (state.begun += 1)),
      Effect.never,
    ),
    () => Effect.sync(() => void (state.cancelled += 1)),
  )
  const closed = Effect.andThen(
    Effect.sync(() => void (state.closed += 1)),
    close,
  )
  return { state, pages: read([give(1, 2), give(3), never], closed) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("next", () => {
  it("gives the elements of all chunks, and is done from then on", async () => {
    const iterator = iterate(read([give(1, 2, 3), give(), give(4)]), [])
    const seen: Array<unknown> = []
    for await (const value of iterator) seen.push(value)
    expect(seen).toEqual([1, 2, 3, 4])
    expect(await iterator.next()).toEqual(done)
  })

  it.each([1, 2, 3, 7])(
    "called %i times at once answers in order, and asks for each chunk once",
    async (width) => {
      let pulls = 0
      const counted = Effect.suspend(() => Effect.as(Effect.yieldNow, page([(pulls += 1)])))
      const iterator = iterate(read(Array.from({ length: 5 }, () => counted)), [])
      const seen: Array<unknown> = []
      while (seen.length < 7) {
        seen.push(...(await Promise.all(Array.from({ length: width }, () => iterator.next()))))
      }
      expect(seen.slice(0, 7)).toEqual([
        ...[1, 2, 3, 4, 5].map((value) => ({ done: false, value })),
        done,
        done,
      ])
      expect(pulls).toBe(5)
    },
  )

  it("runs nothing before it is called, and keeps no listener before that", () => {
    let begun = false
    const { signal } = new AbortController()
    iterate(
      Effect.suspend(() => {
        begun = true
        return read([])
      }),
      [signal],
    )
    expect(begun).toBe(false)
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("rejects one of those that wait with the error of the read; the others are done", async () => {
    const error = new Error("mine")
    const { signal } = new AbortController()
    const iterator = iterate(read<Error>([give(1), Effect.fail(error)]), [signal])
    const all = await Promise.all(Array.from({ length: 4 }, () => settled(iterator.next())))
    expect(all).toEqual([
      { value: { done: false, value: 1 } },
      { reason: error },
      { value: done },
      { value: done },
    ])
    expect(await iterator.next()).toEqual(done)
    expect(getEventListeners(signal, "abort")).toEqual([])
  })

  it("rejects with a defect too, and with the error of a read that cannot begin", async () => {
    const iterator = iterate(read([Effect.die("broken")]), [])
    expect(await settled(iterator.next())).toEqual({ reason: "broken" })
    const refused = iterate(Effect.fail("refused"), [])
    expect(await settled(refused.next())).toEqual({ reason: "refused" })
    expect(await refused.next()).toEqual(done)
    expect(await refused.return!()).toEqual(done)
  })
})

type Ending = (
  iterator: AsyncIterableIterator<number, void, undefined>,
  controller: AbortController,
) => Promise<unknown>
const mine = new Error("mine")
const endings: ReadonlyArray<readonly [name: string, end: Ending, next: unknown, outcome: unknown]> = [
  ["return()", (iterator) => iterator.return!(), { value: done }, { value: done }],
  [
    "return() twice",
    async (iterator) => (await Promise.all([iterator.return!(), iterator.return!()]))[1],
    { value: done },
    { value: done },
  ],
  ["throw()", (iterator) => iterator.throw!(mine), { value: done }, { reason: mine }],
  ["an abort", async (_, controller) => controller.abort(mine), { reason: mine }, { value: undefined }],
]

describe.each(endings)("%s", (_, end, nextOutcome, outcome) => {
  const started = (pages: Read) => {
    const controller = new AbortController()
    const other = new AbortController()
    const iterator = iterate(pages, [controller.signal, other.signal])
    const listeners = () => [controller, other].map(({ signal }) => getEventListeners(signal, "abort").length)
    return { controller, iterator, listeners }
  }

  it("while the read is stuck: cancels it, and every next() that waits settles", async () => {
    const { pages, state } = stuck()
    const { controller, iterator, listeners } = started(pages)
    for (const value of [1, 2, 3]) expect(await iterator.next()).toEqual({ done: false, value })
    const waiting = [settled(iterator.next()), settled(iterator.next())]
    await turn()
    expect(state).toEqual({ begun: 1, cancelled: 0, closed: 0 })
    expect(listeners()).toEqual([1, 1])
    const ended = settled(end(iterator, controller))
    expect(await Promise.all(waiting)).toEqual([nextOutcome, { value: done }])
    expect(await ended).toEqual(outcome)
    await turn()
    expect(state).toEqual({ begun: 1, cancelled: 1, closed: 1 })
    expect(listeners()).toEqual([0, 0])
    expect(await iterator.next()).toEqual(done)
    expect(await iterator.return!()).toEqual(done)
  })

  it("while nothing waits: drops what is left of a page and closes the read", async () => {
    const { pages, state } = stuck()
    const { controller, iterator, listeners } = started(pages)
    expect(await iterator.next()).toEqual({ done: false, value: 1 })
    expect(await settled(end(iterator, controller))).toEqual(outcome)
    expect(await settled(iterator.next())).toEqual(nextOutcome)
    expect(await iterator.next()).toEqual(done)
    expect(state).toEqual({ begun: 0, cancelled: 0, closed: 1 })
    expect(listeners()).toEqual([0, 0])
  })

  it("before the first next(): nothing of the read ever runs", async () => {
    const { pages, state } = stuck()
    const { controller, iterator, listeners } = started(pages)
    expect(await settled(end(iterator, controller))).toEqual(outcome)
    expect(await settled(iterator.next())).toEqual(nextOutcome)
    expect(await iterator.next()).toEqual(done)
    expect(state).toEqual({ begun: 0, cancelled: 0, closed: 0 })
    expect(listeners()).toEqual([0, 0])
  })

  it("from code that the read calls while it is being started: cancels it all the same", async () => {
    const state = { begun: 0, cancelled: 0 }
    let ended: Promise<unknown> = Promise.resolve()
    const wait = Effect.callback<Page<number>>(() => {
      state.begun += 1
      return Effect.sync(() => void (state.cancelled += 1))
    })
    const calling = read([
      Effect.suspend(() => {
        ended = settled(end(iterator, controller))
        return wait
      }),
    ])
    const { controller, iterator, listeners } = started(calling)
    expect(await settled(iterator.next())).toEqual(nextOutcome)
    expect(await ended).toEqual(outcome)
    await turn()
    expect(state.cancelled).toBe(state.begun)
    expect(listeners()).toEqual([0, 0])
  })

  it("after the end: changes nothing", async () => {
    const { controller, iterator, listeners } = started(read([give(1)]))
    expect(await iterator.next()).toEqual({ done: false, value: 1 })
    expect(await iterator.next()).toEqual(done)
    expect(listeners()).toEqual([0, 0])
    expect(await settled(end(iterator, controller))).toEqual(outcome)
    expect(await iterator.next()).toEqual(done)
  })

  it("lets a next() that waits go although the read cannot be cancelled", async () => {
    let finish = (): void => {}
    const deaf = Effect.uninterruptible(
      Effect.callback<Page<number>>((resume) => {
        finish = () => resume(give(1))
      }),
    )
    const { controller, iterator } = started(read([deaf]))
    const waiting = settled(iterator.next())
    await turn()
    const ended = settled(end(iterator, controller))
    expect(await waiting).toEqual(nextOutcome)
    finish()
    expect(await ended).toEqual(outcome)
    expect(await iterator.next()).toEqual(done)
  })
})

describe("any order of calls", () => {
  const call = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("next" as const, "turn" as const) },
    { weight: 1, arbitrary: fc.constantFrom("return" as const, "throw" as const, "abort" as const) },
  )

  it("gives the elements in the order of the calls, one failure at most, then nothing more, and settles all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 5 }),
        fc.boolean(),
        fc.array(call, { maxLength: 30 }),
        async (sizes, fails, calls) => {
          let count = 0
          const pages = sizes.map((size) =>
            Effect.andThen(Effect.yieldNow, give(...Array.from({ length: size }, () => (count += 1)))),
          )
          const state = { begun: 0, closed: 0 }
          const begun = Effect.flatMap(
            Effect.sync(() => void (state.begun += 1)),
            () =>
              read<string>(
                fails ? [...pages, Effect.fail("failed")] : pages,
                Effect.sync(() => void (state.closed += 1)),
              ),
          )
          const controller = new AbortController()
          const iterator = iterate(begun, [controller.signal])
          const nexts: Array<Promise<unknown>> = []
          const others: Array<Promise<unknown>> = []
          const leave = {
            next: () => nexts.push(settled(iterator.next())),
            turn,
            return: () => others.push(settled(iterator.return!())),
            throw: () => others.push(settled(iterator.throw!("mine"))),
            abort: () => controller.abort("aborted"),
          }
          for (const name of calls) await leave[name]()
          others.push(settled(iterator.return!()))
          const outcomes = await Promise.all(nexts)
          await Promise.all(others)
          const isDone = (outcome: unknown) => JSON.stringify(outcome) === JSON.stringify({ value: done })
          const values = outcomes.flatMap((outcome) => {
            const { value } = outcome as { value?: IteratorResult<number, void> }
            return value?.done === false ? [value.value] : []
          })
          expect(values).toEqual(Array.from({ length: values.length }, (_, at) => at + 1))
          const rest = outcomes.slice(values.length)
          const failures = rest.filter((outcome) => !isDone(outcome))
          expect(failures.length).toBeLessThanOrEqual(1)
          if (failures.length === 1) expect(rest[0]).toEqual(failures[0])
          expect(state.begun).toBeLessThanOrEqual(1)
          expect(state.closed).toBe(state.begun)
          expect(getEventListeners(controller.signal, "abort")).toEqual([])
          expect(await iterator.next()).toEqual(done)
        },
      ),
      { numRuns: 300 },
    )
  })
})

const member = (name: string, value: unknown) => ({ [name]: value })
const thenable = member("then", () => {})

describe("aborts", () => {
  it.each([null, 0, "", false, new Promise(() => {}), thenable, new AggregateError([])])(
    "reject with the reason as it is: %o",
    async (reason) => {
      const controller = new AbortController()
      const iterator = iterate(stuck().pages, [controller.signal])
      await iterator.next()
      await iterator.next()
      await iterator.next()
      const waiting = iterator.next().then(
        () => [],
        (rejectedWith: unknown) => [rejectedWith],
      )
      controller.abort(reason)
      const [rejectedWith] = await waiting
      expect(Object.is(rejectedWith, reason)).toBe(true)
    },
  )

  it("reject with the reason of the first signal, when both have aborted already too", async () => {
    const signals = [AbortSignal.abort("first"), AbortSignal.abort("second")]
    const { pages, state } = stuck()
    const iterator = iterate(pages, signals)
    expect(await settled(iterator.next())).toEqual({ reason: "first" })
    expect(await iterator.next()).toEqual(done)
    expect(state.begun).toBe(0)
  })

  it("leave no rejection unhandled when the read cannot be closed, and return() tells of it", async () => {
    const unhandled: Array<unknown> = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on("unhandledRejection", note)
    try {
      const { pages } = stuck(Effect.die("finalizer"))
      const controller = new AbortController()
      const iterator = iterate(pages, [controller.signal])
      await iterator.next()
      controller.abort("enough")
      await turn()
      await turn()
      expect(await settled(iterator.next())).toEqual({ reason: "enough" })
      expect(unhandled).toEqual([])
      const left = iterate(pages, [])
      await left.next()
      expect(await settled(left.return!())).toEqual({ reason: "finalizer" })
    } finally {
      process.off("unhandledRejection", note)
    }
  })
})
