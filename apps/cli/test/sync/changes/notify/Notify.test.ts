/** `--notify` against real receivers. One of them verifies what it is sent with the function that the README of the mirror gives to its readers. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { lastJson } from "../../../harness/Cli.ts"
import type { Ended } from "../../../harness/InProcess.ts"
import { call } from "../../../harness/InProcess.ts"
import type { Mirrored } from "../../../harness/digest/Mirrored.ts"
import { age, mirrored } from "../../../harness/digest/Mirrored.ts"
import { receiver } from "../../../harness/digest/Receiver.ts"
import { untrusted } from "../../../harness/Servers.ts"

const secret = "whsec_5f0c7e9b2d4a61838e"

/** A clock whose waits pass at once, and are remembered. Time limits of a connection are those of the machine. */
const remembering = () => {
  const waits: Array<number> = []
  let ahead = 0
  const now = (): number => Date.now() + ahead
  const nanos = (): bigint => BigInt(now()) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.sync(() => {
        const millis = Duration.toMillis(duration)
        waits.push(millis)
        ahead += millis
      }),
  }
  return { clock, waits }
}

interface Notified extends Ended {
  /** Milliseconds between the attempts. */
  readonly waits: ReadonlyArray<number>
}

/** Runs the command in this process; nothing that it prints may hold the secret. */
const notify = async (
  { mirror }: Pick<Mirrored, "mirror">,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = { DEEDKIT_NOTIFY_SECRET: secret },
): Promise<Notified> => {
  const { clock, waits } = remembering()
  const ended = await call(["sync", "changes", mirror, "--since", "1d", ...args], { env, clock })
  expect(`${ended.stdout}${ended.stderr}`).not.toContain(secret)
  return { ...ended, waits }
}

type IsGenuine = (secret: string, header: unknown, body: string) => boolean

/** The function of the README. */
const documented = async (folder: string): Promise<IsGenuine> => {
  const readme = join(import.meta.dirname, "../../../../../../packages/sync/README.md")
  const [, code = ""] = /^```js\n([^]*?)^```$/m.exec(await readFile(readme, "utf8")) ?? []
  const path = join(folder, "receiver.mjs")
  await writeFile(path, code)
  return ((await import(pathToFileURL(path).href)) as { readonly isGenuine: IsGenuine }).isGenuine
}

describe("--notify", () => {
  it("is verified by the function of the README, also after two answers 500, and sends the same id each time", async () => {
    await using it = await mirrored()
    await using hook = await receiver(500, 500, 200)
    const json = await it.call(["sync", "changes", it.mirror, "--since", "1d", "--json"])
    const { code, stderr, waits } = await notify(it, ["--notify", `${hook.url}/hook?token=1`])
    expect([code, stderr]).toEqual([0, expect.stringContaining(`The digest was sent to ${hook.url}.\n`)])
    expect(waits).toHaveLength(2)
    for (const millis of waits) expect(millis).toBeGreaterThanOrEqual(100)
    const isGenuine = await documented(it.folder)
    const [first] = hook.received
    const { id } = JSON.parse(json.stdout) as { readonly id: string }
    expect(hook.received).toHaveLength(3)
    for (const { body, headers, method, path } of hook.received) {
      expect([method, path]).toEqual(["POST", "/hook?token=1"])
      expect(headers).toMatchObject({ "content-type": "application/json", "deedkit-id": id })
      expect(isGenuine(secret, headers["deedkit-signature"], body)).toBe(true)
      expect(isGenuine(`${secret}!`, headers["deedkit-signature"], body)).toBe(false)
      expect(isGenuine(secret, headers["deedkit-signature"], `${body} `)).toBe(false)
      expect(isGenuine(secret, undefined, body)).toBe(false)
      expect(body).toBe(first!.body)
    }
    const ours = JSON.parse(json.stdout) as object
    expect(JSON.parse(first!.body)).toEqual({
      ...ours,
      since: expect.any(String) as string,
      until: expect.any(String) as string,
    })
  })

  it("signs each attempt with its own time, and a receiver refuses an old one", async () => {
    await using it = await mirrored()
    await using hook = await receiver({ status: 429, headers: { "retry-after": "600" } }, 200)
    const { code, waits } = await notify(it, ["--notify", hook.url])
    expect(code).toBe(0)
    expect(waits[0]).toBeGreaterThanOrEqual(600_000)
    const [first, second] = hook.received.map(({ headers }) => String(headers["deedkit-signature"]))
    const timeOf = (header = ""): number => Number(/^t=(\d+),/.exec(header)?.[1])
    expect(timeOf(second) - timeOf(first)).toBeGreaterThanOrEqual(600)
    const isGenuine = await documented(it.folder)
    const { body } = hook.received[1]!
    // The second one was signed on a clock that was ten minutes ahead.
    expect([isGenuine(secret, first, body), isGenuine(secret, second, body)]).toEqual([true, false])
  })

  it("takes the secret from a file of mode 600, and sends nothing when there are no changes", async () => {
    await using it = await mirrored()
    await using hook = await receiver(204)
    const file = join(it.folder, "secret")
    await writeFile(file, `${secret}\n`, { mode: 0o600 })
    const named = ["--notify", hook.url, "--notify-secret-file", file]
    expect((await notify(it, named, {})).code).toBe(0)
    const isGenuine = await documented(it.folder)
    const [{ body, headers } = { body: "", headers: {} }] = hook.received
    expect(isGenuine(secret, (headers as Record<string, unknown>)["deedkit-signature"], body)).toBe(true)
    age(it.mirror)
    const none = await notify(it, named, {})
    expect([none.code, hook.received.length]).toEqual([0, 1])
  })

  it("prints the digest first, and exits with 12 on request once it was sent", async () => {
    await using it = await mirrored()
    await using hook = await receiver(200)
    const out = join(it.folder, "day.html")
    const { code } = await notify(it, ["--notify", hook.url, "--fail-on-changes", "--out", out])
    expect([code, hook.received.length]).toEqual([12, 1])
    expect(await it.file("day.html")).toContain("<!doctype html>")
  })

  it.each([
    ["429", 429, 6, 6, "it answered 429 (rate limited). The digest has an id"],
    ["500", 500, 6, 7, "it answered 500. Check the log of the receiver."],
    ["501", 501, 1, 7, "it answered 501."],
    ["400", 400, 1, 8, "it answered 400. Check the address, and that the receiver has the same secret."],
    ["404", 404, 1, 8, "it answered 404."],
    ["a lost connection", "cut", 6, 7, "no connection ("],
    ["a redirect", { status: 307, headers: { location: "/other" } }, 1, 8, "it redirects (307)."],
    [
      "a wait that is too long",
      { status: 503, headers: { "retry-after": "7200" } },
      1,
      7,
      "it answered 503.",
    ],
  ] as const)(
    "fails after %s with its own message and code",
    async (_, answer, attempts, exitCode, problem) => {
      await using it = await mirrored()
      await using hook = await receiver(answer)
      const ended = await notify(it, ["--notify", `${hook.url}/a-token`, "--json", "--fail-on-changes"])
      expect([ended.code, hook.received.length]).toEqual([exitCode, attempts])
      expect(lastJson(ended.stderr)).toMatchObject({
        error: "NotifyFailed",
        attempts,
        exitCode,
        message: expect.stringContaining(problem) as string,
      })
      expect(ended.stderr).toContain(`The webhook at ${hook.url} did not accept the digest`)
      expect(ended.stderr).not.toContain("a-token")
      expect(ended.stderr).not.toContain("What a webhook says")
      expect(ended.waits).toHaveLength(attempts - 1)
      expect(new Set(hook.received.map(({ path }) => path))).toEqual(new Set(["/a-token"]))
      // What was asked for was printed before.
      expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { changed: 1, removed: 1, unusual: 1 } })
    },
  )

  it("ends an attempt at the time limit, and tries as often as it is told", async () => {
    await using it = await mirrored()
    await using hook = await receiver("silent")
    const ended = await notify(it, ["--notify", hook.url, "--timeout", "1", "--attempts", "2"])
    expect([ended.code, hook.received.length]).toEqual([7, 2])
    expect(ended.stderr).toContain(
      "after 2 attempts: no answer within 1 s. To allow more time use --timeout N.",
    )
  })

  it("never accepts a certificate that is not trusted", async () => {
    await using it = await mirrored()
    await using hook = await untrusted()
    const { code, stderr, waits } = await notify(it, ["--notify", hook.url])
    expect([code, waits]).toEqual([7, []])
    expect(stderr).toContain("its certificate is not trusted (")
  })

  it("shows attempts in the log and the debug bundle, without secret, signature, body and path of the address", async () => {
    await using it = await mirrored()
    await using hook = await receiver(503, 200)
    const bundle = join(it.folder, "bundle.json")
    const seen = ["--verbose", "--debug-bundle", bundle, "--quiet"]
    const { code, stderr } = await notify(it, ["--notify", `${hook.url}/a-token`, ...seen])
    expect(code).toBe(0)
    expect(stderr).toMatch(/ POST http:\/\/127\.0\.0\.1:\d+: 503 ServerFault in \d+ ms/)
    const text = await it.file("bundle.json")
    expect(JSON.parse(text)).toMatchObject({
      args: expect.arrayContaining(["--notify", hook.url]) as Array<string>,
      events: [{ _tag: "Attempted", status: 503 }, { _tag: "Waiting" }, { _tag: "Attempted", status: 200 }],
    })
    for (const hidden of [secret, "a-token", "v1=", "unit_label"]) expect(text + stderr).not.toContain(hidden)
  })

  it.each([
    [["--notify", "hooks.example.com"], "The address of --notify cannot be read."],
    [["--notify", "http://hooks.example.com/"], "The address of --notify is not https."],
    [["--notify", "http://127.0.0.1.example.com/"], "The address of --notify is not https."],
    [["--notify", "ftp://127.0.0.1/"], "The address of --notify is not https."],
    [["--notify", "https://ada:hidden@hooks.example.com/"], "holds a user or a password"],
    [["--notify-secret-file", "secret"], "--notify-secret-file needs --notify."],
    [
      ["--notify", "https://hooks.example.com/", "--notify-secret-file", "none"],
      "could not be read (ENOENT)",
    ],
  ])("refuses %j before the mirror is read", async (args, problem) => {
    const { code, stderr, stdout } = await notify({ mirror: "none.sqlite" }, args)
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(problem)])
    expect(stderr).not.toContain("hidden")
  })

  it("refuses a missing secret, a short one, and a file that others can read", async () => {
    await using it = await mirrored()
    await using hook = await receiver(200)
    const file = join(it.folder, "secret")
    await writeFile(file, secret, { mode: 0o644 })
    const problems: ReadonlyArray<readonly [object, ReadonlyArray<string>, string]> = [
      [{}, [], "Missing secret for --notify. Create one with `openssl rand -hex 32`"],
      [{ DEEDKIT_NOTIFY_SECRET: "" }, [], "has fewer than 16 characters"],
      [{ DEEDKIT_NOTIFY_SECRET: "fifteen letters" }, [], "has fewer than 16 characters"],
      [{ DEEDKIT_NOTIFY_SECRET: secret }, ["--notify-secret-file", file], "(mode 644)"],
    ]
    for (const [env, args, problem] of problems) {
      const ended = await notify(it, ["--notify", hook.url, ...args], env as Record<string, string>)
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(problem)])
    }
    expect(hook.received).toEqual([])
  })
})
