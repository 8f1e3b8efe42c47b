import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { OwnRateLimiter, RateLimiter } from "../../../src/call/limiter/RateLimiter.ts"
import { RateLimiters } from "../../../src/call/limiter/rateLimiters.ts"
import type { RateLimits } from "../../../src/call/limiter/RateLimits.ts"
import * as PropertyClient from "../../../src/client/PropertyClient.ts"
import { sharedRateLimiters } from "../../../src/node.ts"
import { scripted, virtualClock } from "../../../src/testing/index.ts"
import { Transport } from "../../../src/transport/Transport.ts"

let directory: string
beforeEach(() => void (directory = fs.mkdtempSync(join(tmpdir(), "rate-limits-"))))
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

const key = "0123456789abcdef"
const clock = virtualClock(0)
const limits: RateLimits = { start: 2, burst: 10, ceiling: 20 }
const minute = 60_000

/** What another process makes of the folder. */
const another = (more: Partial<RateLimits> = {}): OwnRateLimiter =>
  sharedRateLimiters({ directory })(key, { ...limits, ...more }, clock) as OwnRateLimiter
const file = (): string => join(directory, `${key}.json`)
/** A file of the size that all have. */
const write = (path: string, content: string): void =>
  fs.writeFileSync(path, content.padEnd(512), { mode: 0o600 })
const lock = (): string => `${file()}.lock`

const drain = (limiter: RateLimiter, now: number): number => {
  let taken = 0
  while (taken < 1_000 && limiter.tryTake(now, "interactive")) taken += 1
  return taken
}

/** Milliseconds that the quickest of three takes: a busy machine can stop any one of them. */
const quickest = (act: () => void): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const began = performance.now()
      act()
      return performance.now() - began
    }),
  )

describe("rate limiters in one folder", () => {
  it("share the turns of a key", () => {
    const [first, second] = [another(), another()]
    const now = Date.now()
    expect(drain(first, now)).toBe(10)
    expect(drain(second, now)).toBe(0)
    expect(drain(second, now + 1_000)).toBe(2)
    expect(drain(first, now + 1_000)).toBe(0)
  })

  it("do not share those of different keys", async () => {
    const now = Date.now()
    expect(drain(another(), now)).toBe(10)
    const other = sharedRateLimiters({ directory })("f".repeat(16), limits, clock)
    expect(drain(other, now)).toBe(10)
  })

  it("share pauses and what a 429 teaches", () => {
    const [first, second] = [another(), another()]
    const now = Date.now()
    first.limited(now, now + 5_000)
    expect(second.tryTake(now, "interactive")).toBe(false)
    expect([second.pausedUntil(now), second.rate()]).toEqual([now + 5_000, 1])
    expect([4_999, 5_000].map((later) => second.tryTake(now + later, "interactive"))).toEqual([false, true])
    expect(first.tryTake(now + 5_000, "interactive")).toBe(false)
  })

  it("wake a call that waits only for a turn that no other process has taken", async () => {
    const clock = virtualClock(Date.now())
    const began = clock.plain.now()
    const [first, second] = [another(), another()]
    drain(first, began)
    const passed = Effect.runPromise(
      Effect.provideService(first.take("background"), Clock.Clock, clock),
    ).then(() => clock.plain.now() - began)
    expect(second.tryTake(began + 500, "interactive")).toBe(true)
    expect(await passed).toBe(1_000)
  })

  it("resume for a new process where the last one ended", () => {
    const now = Date.now()
    const first = another()
    for (let answer = 0; answer < 30; answer++) first.clean(now)
    expect(another().tryTake(now, "background")).toBe(true)
    const later = another()
    later.tryTake(now, "background")
    expect(later.rate()).toBe(5)
  })

  it("are no faster than the limits of each, and keep what was learned for the others", () => {
    const now = Date.now()
    const first = another()
    for (let answer = 0; answer < 30; answer++) first.clean(now)
    const slow = another({ burst: 1, ceiling: 1 })
    expect(drain(slow, now)).toBe(1)
    expect(slow.rate()).toBe(1)
    first.tryTake(now + 1_000, "background")
    expect(first.rate()).toBe(5)
  })

  it("pass on 15 minutes of a longer pause, which the process that was told keeps whole", () => {
    const [first, second] = [another(), another()]
    const now = Date.now()
    first.limited(now, now + 360 * minute)
    second.tryTake(now, "interactive")
    expect(second.pausedUntil(now)).toBe(now + 15 * minute)
    expect(second.tryTake(now + 15 * minute, "interactive")).toBe(true)
    expect(first.tryTake(now + 15 * minute, "interactive")).toBe(false)
    expect(first.pausedUntil(now + 15 * minute)).toBe(now + 360 * minute)
  })

  it("forget what was learned an hour ago", () => {
    const now = Date.now()
    const first = another()
    drain(first, now)
    first.limited(now, now + 1_000)
    const later = another()
    later.tryTake(now + 61 * minute, "interactive")
    expect(later.rate()).toBe(2)
  })

  it("are read and not written without a ceiling, where a pause applies too", () => {
    const now = Date.now()
    const [first, second] = [another({ ceiling: Infinity }), another()]
    expect(drain(first, now)).toBe(1_000)
    expect(fs.readdirSync(directory)).toEqual([])
    second.limited(now, now + 2_000)
    expect(drain(first, now)).toBe(0)
  })
})

describe("the files", () => {
  const used = async (apiKey: string): Promise<void> => {
    const { send } = scripted(() => ({ body: { ok: true } }))
    const client = await Effect.runPromise(
      PropertyClient.make({ baseUrl: "https://api.example.test", apiKey }).pipe(
        Effect.provideService(Transport, send),
        Effect.provideService(
          RateLimiters,
          sharedRateLimiters({ directory: join(directory, "made", "here") }),
        ),
      ),
    )
    await Effect.runPromise(client.me())
  }

  it("hold a fingerprint of the key and figures, are private, and leave no lock behind", async () => {
    await used("dk_secret_1234567890")
    const folder = join(directory, "made", "here")
    const names = fs.readdirSync(folder)
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/)])
    const path = join(folder, names[0]!)
    expect([fs.statSync(path).mode & 0o777, fs.statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
    const saved: unknown = JSON.parse(fs.readFileSync(path, "utf8"))
    expect(Object.values(saved as object).every((value) => typeof value === "number")).toBe(true)
    expect(saved).toMatchObject({ cleanAnswers: 1, size: 10, pausedUntil: 0 })
  })

  it("are removed once they are forgotten, and stay before", () => {
    drain(another(), Date.now())
    for (const [name, minutes] of [
      ["old.json", 61],
      ["killed.json.lock", 61],
      ["new.json", 59],
    ] as const) {
      fs.writeFileSync(join(directory, name), "")
      const then = new Date(Date.now() - minutes * minute)
      fs.utimesSync(join(directory, name), then, then)
    }
    another()
    expect(fs.readdirSync(directory).toSorted()).toEqual([`${key}.json`, "new.json"])
  })
})

/** A call that cannot go now goes within this time, whatever is in the file. */
const longestMillis = 15 * minute + 10_000

describe("a file that no rate limiter has written", () => {
  const valid = () => {
    const now = Date.now()
    return { rate: 5, tokens: 0, size: 10, filledAt: now, pausedUntil: 0, cleanAnswers: 0, savedAt: now }
  }
  const year = 31_557_600_000

  it.each<readonly [string, () => string]>([
    ["nothing", () => ""],
    ["no JSON", () => "\u0000\u0001{"],
    ["half of a state", () => JSON.stringify(valid()).slice(0, 40)],
    ["a list", () => "[]"],
    ["null", () => "null"],
    ["deep JSON", () => "[".repeat(1_000)],
    ["texts as figures", () => JSON.stringify({ ...valid(), tokens: "0" })],
    ["a state with much beside it", () => JSON.stringify({ ...valid(), more: "x".repeat(2_000) })],
    ["a pause of years", () => JSON.stringify({ ...valid(), pausedUntil: Date.now() + year })],
    [
      "a pause of years from years ahead",
      () => JSON.stringify({ ...valid(), savedAt: Date.now() + year, pausedUntil: Date.now() + year }),
    ],
    ["turns counted from years ahead", () => JSON.stringify({ ...valid(), filledAt: Date.now() + year })],
    ["no rate", () => JSON.stringify({ ...valid(), rate: 0 })],
    ["hardly a rate", () => JSON.stringify({ ...valid(), rate: 1e-9 })],
    ["no place for a turn", () => JSON.stringify({ ...valid(), size: 0.5 })],
    ["a debt of turns", () => JSON.stringify({ ...valid(), tokens: -1e9 })],
    ["infinite figures", () => JSON.stringify(valid()).replace('"tokens":0', '"tokens":1e999')],
  ])("and holds %s counts as none, and is replaced", (_what, content) => {
    write(file(), content())
    expect(drain(another(), Date.now())).toBe(10)
    expect(drain(another(), Date.now())).toBe(0)
  })

  it("and is a state is used: otherwise the table above shows nothing", () => {
    write(file(), JSON.stringify(valid()))
    expect(drain(another(), Date.now())).toBe(0)
  })

  it.each<readonly [string, () => void]>([
    [
      "can be read by others",
      () => {
        write(file(), JSON.stringify(valid()))
        fs.chmodSync(file(), 0o644)
      },
    ],
    [
      "is a link",
      () => {
        write(join(directory, "elsewhere"), JSON.stringify(valid()))
        fs.symlinkSync(join(directory, "elsewhere"), file())
      },
    ],
    ["is a pipe", () => void execFileSync("mkfifo", ["-m", "600", file()])],
  ])("and %s is not read, and is replaced by a private one", (_what, make) => {
    make()
    expect(drain(another(), Date.now())).toBe(10)
    expect(drain(another(), Date.now())).toBe(0)
    expect(fs.lstatSync(file()).isFile()).toBe(true)
    expect(fs.lstatSync(file()).mode & 0o777).toBe(0o600)
  })

  it("leaves a linked file as it is", () => {
    const elsewhere = join(directory, "elsewhere")
    fs.writeFileSync(elsewhere, "mine")
    fs.symlinkSync(elsewhere, file())
    fs.symlinkSync(elsewhere, lock())
    drain(another(), Date.now())
    expect(fs.readFileSync(elsewhere, "utf8")).toBe("mine")
  })

  it.each<readonly [string, () => void]>([
    ["the file is a folder", () => fs.mkdirSync(file())],
    ["the lock is a folder", () => fs.mkdirSync(lock())],
    [
      "the folder is a file",
      () => {
        fs.rmdirSync(directory)
        fs.writeFileSync(directory, "")
      },
    ],
    ["the folder is gone", () => fs.rmdirSync(directory)],
  ])("leaves each process with a rate of its own where %s", (_what, make) => {
    const before = another()
    make()
    const now = Date.now()
    expect([drain(before, now), drain(another(), now)]).toEqual([10, 10])
    // The lock is tried once a second, not for each of the changes.
    const millis = quickest(() => {
      for (let request = 0; request < 120; request++) before.clean(now)
    })
    expect(millis).toBeLessThan(500)
  })

  it.runIf(process.platform === "linux")(
    "is not waited for where the system refuses to make the folder",
    async () => {
      const limiter = sharedRateLimiters({ directory: "/proc/none/of/these" })(key, limits, clock)
      expect(drain(limiter, Date.now())).toBe(10)
    },
  )

  it("never fails a call nor stops it for longer than a pause can take, whatever JSON it holds", () => {
    const figure = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.integer({ min: -20 * minute, max: 20 * minute }).map((by) => Date.now() + by),
    )
    const names = Object.keys(valid())
    const state = fc.dictionary(fc.constantFrom(...names), figure).map((some) => Object.assign(valid(), some))
    let stopped = 0
    fc.assert(
      fc.property(fc.oneof(state, fc.jsonValue()), (content) => {
        write(file(), JSON.stringify(content))
        const limiter = another()
        const now = Date.now()
        if (limiter.tryTake(now, "interactive")) return
        stopped += 1
        expect(limiter.tryTake(now + longestMillis, "interactive")).toBe(true)
      }),
      { numRuns: 500 },
    )
    expect(stopped).toBeGreaterThan(0)
  })
})

describe("a lock", () => {
  it("that a killed process has left is removed after a second", () => {
    fs.writeFileSync(lock(), "half of a st")
    const then = new Date(Date.now() - 1_500)
    fs.utimesSync(lock(), then, then)
    const now = Date.now()
    expect(drain(another(), now)).toBe(10)
    expect(drain(another(), now)).toBe(0)
    expect(fs.existsSync(lock())).toBe(false)
  })

  it("that another process holds stops a call for milliseconds, and the call goes by what is in the file", () => {
    const now = Date.now()
    drain(another(), now)
    fs.writeFileSync(lock(), "")
    expect(quickest(() => expect(drain(another(), now)).toBe(0))).toBeLessThan(500)
    expect(fs.existsSync(lock())).toBe(true)
  })
})

describe("several processes", () => {
  const begun = async (millis: number) => {
    const program = join(import.meta.dirname, "../../fixtures/takeTurns.ts")
    const args = ["--conditions=@deedkit/source", program, directory, String(millis)]
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    const ended = once(child, "close")
    await once(child.stdout, "data")
    return { child, turns: async () => (await ended, Number(output.split("\n")[1])) }
  }

  it("take no more turns together than one may", async () => {
    const began = Date.now()
    const all = await Promise.all([begun(1_200), begun(1_200), begun(1_200)])
    const turns = await Promise.all(all.map((each) => each.turns()))
    const most = 10 + ((Date.now() - began) / 1_000) * 50
    const sum = turns.reduce((a, b) => a + b, 0)
    expect(sum).toBeLessThanOrEqual(most)
    expect(sum).toBeGreaterThan(50)
  })

  it("continue when one of them is killed", async () => {
    const killed = await Promise.all([begun(60_000), begun(60_000)])
    const survivor = await begun(1_500)
    for (const { child } of killed) child.kill("SIGKILL")
    expect(await survivor.turns()).toBeGreaterThan(30)
    expect(drain(another(), Date.now() + 10_000)).toBe(10)
  })
})
