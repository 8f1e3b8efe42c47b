import type { EmulatorOptions } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import type { Certainty } from "../../src/doctor/FindingWords.ts"
import { account, person } from "../harness/Account.ts"
import { bench, lastJson } from "../harness/Cli.ts"
import { notTheApi, untrusted } from "../harness/Servers.ts"

interface Report {
  readonly baseUrl: string
  readonly requests: number
  readonly ok: boolean
  readonly findings: ReadonlyArray<{
    readonly about: string
    readonly answer: string
    readonly certainty: Certainty
    readonly evidence: string | null
    readonly setting: string | null
    readonly problem: boolean
  }>
}

const mostRequests = 25

/** `ANSWER, CERTAINTY` by what it is about, and `! ` before it where it stands in the way of work. */
const answers = ({ findings }: Report): Readonly<Record<string, string>> =>
  Object.fromEntries(
    findings.map(({ about, answer, certainty, problem }) => [
      about,
      `${problem ? "! " : ""}${answer}, ${certainty}`,
    ]),
  )

const checkup = async (options: EmulatorOptions, flags: ReadonlyArray<string> = []) => {
  await using it = await bench(options)
  const { code, stderr, stdout } = await it.call(["doctor", "--json", "--rate", "0", ...flags])
  const report = JSON.parse(stdout) as Report
  const { entries } = it.emulator.journal
  expect(entries.length).toBeLessThanOrEqual(mostRequests)
  expect(report.requests).toBe(entries.length)
  for (const { method } of entries) expect(method).toBe("GET")
  return { code, stderr, report, found: answers(report) }
}

type Expected = Readonly<Record<string, string>>

const servers: ReadonlyArray<readonly [what: string, options: EmulatorOptions, expected: Expected]> = [
  [
    "as it is assumed to be",
    {},
    {
      encryption: "none: the address is on this machine, verified",
      clock: "the server and this machine agree, verified",
      "can read contracts": "yes, with read:contracts, verified",
      "page size": "50 without a limit, verified",
      limit: "obeyed, verified",
      "largest page": "100: limit=500 gave 100 and more to come, verified",
      "cursor parameter": "before_id, verified",
      "cursor type": "integer, verified",
      "order of ids": "descending, verified",
      "end of a list": "next_before_id is null, verified",
      records: "all 156 are as specified, verified",
      "one by id": "the requested record, verified",
      "unknown id": "answered with 404, verified",
      "body of an error": "404 {ok: boolean, error: string, message: string}, verified",
      "request id": "x-request-id, verified",
      "rate limit": "signalled with 429; none in this checkup, documented",
      "rate limit headers": "none: the limits are unknown, unknown",
    },
  ],
  [
    "with another cursor, of text, and ascending ids",
    { assumptions: { cursorParameter: "starting_after", cursorKind: "string", ordering: "ascending" } },
    {
      "cursor parameter": "starting_after; before_id has no effect, verified",
      "cursor type": "text, verified",
      "order of ids": "ascending, verified",
    },
  ],
  [
    "that refuses what it does not know, and answers errors with nesting",
    {
      assumptions: { cursorParameter: "after", unknownParameter: "reject", errorShape: "nested" },
    },
    {
      "cursor parameter": "after; before_id has no effect, verified",
      "body of an error":
        "400 {ok: boolean, error: {code: string, message: string, request_id: string}}; 404 {ok: boolean, error: {code: string, message: string, request_id: string}}, verified",
    },
  ],
  [
    "that refuses every limit, and ends with 0",
    { assumptions: { limitSupported: false, unknownParameter: "reject", endSentinel: 0 } },
    {
      limit: "limit=1 is rejected; lists are read without a limit, verified",
      "largest page": "limit=500 is rejected; the maximum is not specified, verified",
      "cursor parameter": "before_id, verified",
      "end of a list": "next_before_id was 0 where null is documented, verified",
    },
  ],
  [
    "that ignores the limit, and has no order",
    { assumptions: { limitSupported: false, ordering: "random", requestIdHeader: null } },
    {
      limit: "ignored: limit=1 gave 50 records, verified",
      "largest page": "50: limit=500 gave 50 and more to come, verified",
      "order of ids": "mixed, verified",
      "request id": "none of x-request-id, request-id, x-correlation-id, verified",
    },
  ],
  [
    "that refuses large limits with a page of HTML, and unknown ids with 400",
    {
      assumptions: { aboveMaximum: "reject", errorShape: "html", unknownIdStatus: 400, cursorKind: "digits" },
    },
    {
      limit: "obeyed, verified",
      "largest page": "limit=500 is rejected; the maximum is not specified, verified",
      "cursor type": "text of digits, verified",
      "unknown id": "answered with 400, verified",
      "body of an error": "400 HTML, verified",
    },
  ],
  [
    "with long cursors, rate limit headers and an empty body for errors",
    {
      assumptions: {
        cursorKind: "bigint",
        rateLimitHeaders: "x-ratelimit",
        requestIdHeader: "request-id",
        errorShape: "empty",
        endSentinel: -1,
        aboveMaximum: "allow",
      },
      contracts: 600,
    },
    {
      "cursor type": "integer beyond 2^53, verified",
      "largest page": "at least 500, verified",
      "end of a list": "next_before_id was -1 where null is documented, verified",
      "request id": "request-id, verified",
      "rate limit headers":
        "x-ratelimit-limit: 120, x-ratelimit-remaining: 109, x-ratelimit-reset: 60, verified",
      "body of an error": "404 empty, verified",
    },
  ],
  [
    "whose key lacks a scope",
    { faults: ["scope-missing:scope=read:contracts"] },
    {
      accepted: expect.stringMatching(/^yes \(….{4}\), verified$/) as string,
      "can read contracts": "no: read:contracts is missing, verified",
      "can read API keys": "yes, with read:api_keys, verified",
      "page size": "all 12 API keys came on one page, unknown",
      "cursor parameter": "before_id, verified",
    },
  ],
  [
    "without contracts",
    { contracts: 0 },
    {
      "page size": "all 0 contracts came on one page, unknown",
      limit: "no records, unknown",
      "cursor parameter": "before_id: no second page with records came, assumed",
      "cursor type": "no cursor came, unknown",
      records: "there are none, unknown",
    },
  ],
  [
    "that limits the rate meanwhile",
    { faults: ["rate-limit:retryAfter=1,requests=4"] },
    {
      "rate limit": "429 came 1 time, with Retry-After, verified",
      "cursor parameter": "before_id, verified",
    },
  ],
]

describe("doctor", () => {
  it.concurrent.each(servers)("reports a server %s", async (_, options, expected) => {
    const { code, found, report, stderr } = await checkup(options)
    expect([code, stderr, report.ok]).toEqual([0, "", true])
    expect(found).toMatchObject(expected)
  })

  type Sick = readonly [what: string, options: EmulatorOptions, code: number, expected: Expected]
  const sick: ReadonlyArray<Sick> = [
    [
      "whose pages do not advance",
      { faults: ["cursor-ignored"] },
      11,
      { "cursor parameter": "! before_id has no effect, and no other name was found, unknown" },
    ],
    [
      "that leaves the cursor out at the end",
      { assumptions: { endSentinel: "missing" } },
      8,
      {
        "end of a list":
          "! the page is not as specified: next_before_id should be null, integer or string and is nothing, verified",
      },
    ],
    [
      "whose cursors are objects",
      { assumptions: { cursorKind: "object" } },
      8,
      {
        accepted: expect.stringContaining("yes") as string,
        "can read contracts":
          "! the page is not as specified: next_before_id should be null, integer or string and is object, unknown",
      },
    ],
    [
      "that gives another record than the one asked for",
      { faults: ["wrong-record"] },
      8,
      { "one by id": "! the service returned record 1323 instead of record 1324, verified" },
    ],
    [
      "whose records lack a field",
      { faults: ["missing-field"] },
      8,
      { records: "! 4 of 156 are not as specified: status should be string and is nothing, verified" },
    ],
    [
      "that fails",
      { faults: ["server-error:status=503"] },
      7,
      { address: expect.stringContaining("answers, but: the service failed (503), verified") as string },
    ],
    [
      "that knows none of the paths",
      { assumptions: { wrongKeyStatus: 404 }, faults: ["status:code=404"] },
      3,
      {
        address: expect.stringContaining(
          "has no API endpoints; it should end just before /v1/, unknown",
        ) as string,
      },
    ],
  ]
  it.concurrent.each(sick)("does not hide a server %s", async (_, options, exitCode, expected) => {
    const { code, found, report, stderr } = await checkup(options, ["--attempts", "1"])
    expect([code, report.ok]).toEqual([exitCode, false])
    expect(lastJson(stderr)).toMatchObject({ exitCode })
    expect(found).toMatchObject(expected)
  })

  it("sends no more than 25 requests to a server that makes everything difficult", async () => {
    const { found, report } = await checkup({
      assumptions: { cursorParameter: "page_token", unknownParameter: "reject", limitSupported: false },
      faults: ["server-error:every=2"],
      keys: 400,
    })
    expect(report.requests).toBe(mostRequests)
    expect(found).toMatchObject({
      accepted: expect.stringContaining("yes") as string,
      "page size": "50 without a limit, verified",
      "cursor parameter": "! before_id is rejected, and no other name was found, unknown",
      "end of a list": "not requested: the limit of requests is reached, unknown",
      "one by id": "not requested: the limit of requests is reached, unknown",
      "unknown id": "not requested: the limit of requests is reached, unknown",
    })
    const cursor = report.findings.find(({ about }) => about === "cursor parameter")
    expect(cursor?.evidence).toBe("not every name was tried: the limit of requests is reached")
  })

  it("believes a name that was given, and says which other one works", async () => {
    const { code, report, found } = await checkup({}, ["--cursor-param", "wrong"])
    expect(code).toBe(11)
    expect(found["cursor parameter"]).toBe("! wrong has no effect, before_id works, verified")
    expect(report.findings.find(({ about }) => about === "cursor parameter")?.setting).toBe(
      "--cursor-param before_id",
    )
  })
})

const plain = ["doctor", "--attempts", "1"]

describe("doctor where there is no way to the service", () => {
  it("reports a port where no server listens, and ends with 7", async () => {
    await using it = await bench()
    const { code, stderr, stdout } = await it.call(plain, {
      env: { DEEDKIT_BASE_URL: "http://127.0.0.1:1" },
    })
    expect([code, stdout]).toEqual([
      7,
      "Connection\n  address               verified    ! http://127.0.0.1:1 does not answer (ECONNREFUSED)  --base-url\n",
    ])
    expect(stderr).toContain("Check the address and the network, then try again.")
  })

  it("reports an untrusted certificate, and ends with 7", async () => {
    await using it = await bench()
    await using server = await untrusted()
    const { code, stderr, stdout } = await it.call(plain, { env: { DEEDKIT_BASE_URL: server.url } })
    expect(code).toBe(7)
    expect(stdout).toContain(`! ${server.url} has an untrusted certificate`)
    expect(stdout).toMatch(/encryption +verified +! the certificate is not trusted \(.*self-signed/)
    expect(stderr).toContain("Untrusted certificates are never accepted.")
  })

  it("says that a web site is not the API, and ends with 8", async () => {
    await using it = await bench()
    await using site = await notTheApi()
    const { code, stderr, stdout } = await it.call(plain, { env: { DEEDKIT_BASE_URL: site.url } })
    expect(code).toBe(8)
    expect(stdout).toContain(
      `! ${site.url} answers with text/html; charset=utf-8, not with JSON: it is not the API`,
    )
    expect(stderr).toContain("1 request.")
  })

  it.each([
    ["a key of nobody", { DEEDKIT_API_KEY: "dk_wrong_key_of_nobody" }, "…body"],
    ["a revoked key", null, "…"],
  ] as const)("says that %s is not accepted, and ends with 4", async (_, env, shown) => {
    await using it = await bench()
    const secret = env?.DEEDKIT_API_KEY ?? it.emulator.secrets.revoked
    const { code, stderr, stdout } = await it.call(plain, { env: { DEEDKIT_API_KEY: secret }, secret })
    expect([code, it.emulator.journal.entries.length]).toEqual([4, 3])
    expect(stdout).toMatch(
      new RegExp(`accepted +verified +! no: ${shown}.* is mistyped, revoked or of another account`),
    )
    expect(stderr).toContain("The key is mistyped, revoked or belongs to another account.")
  })

  it("needs address and key like every command", async () => {
    await using it = await account()
    const { code, stderr } = await it.call(["doctor"])
    expect([code, stderr.startsWith("Missing base URL.")]).toEqual([2, true])
  })
})

describe("doctor --save", () => {
  it("saves the findings about the server in the profile, with the verified cursor", async () => {
    await using it = await account({ assumptions: { cursorParameter: "after" } })
    await it.call(["auth", "login", "--base-url", it.url], { prompts: person(it.emulator.apiKey).service })
    const { code, stderr } = await it.call(["doctor", "--save", "--rate", "0"])
    expect([code, stderr]).toEqual([0, expect.stringContaining("Saved in profile default.")])
    const { profiles } = JSON.parse(await it.read("config.json")) as {
      profiles: Record<string, { cursor: unknown; learnt: { answers: Record<string, string> } }>
    }
    expect(profiles["default"]).toMatchObject({
      cursor: { parameter: "after" },
      learnt: {
        at: expect.stringMatching(/Z$/) as string,
        answers: { "largest page": "100: limit=500 gave 100 and more to come", "order of ids": "descending" },
      },
    })
    expect(profiles["default"]?.learnt.answers).not.toHaveProperty("accepted")
    expect((await it.call(["contracts", "list", "--all", "--json"])).code).toBe(0)
  })

  it("says before anything is sent that there is no profile of this address", async () => {
    await using it = await bench()
    const { code, stderr } = await it.call(["doctor", "--save"])
    expect([code, stderr, it.emulator.journal.entries]).toEqual([
      2,
      "No profile of this address to save the findings in. Create one with `deedkit auth login`, or name it with --profile.\n",
      [],
    ])
  })
})
