/**
 * The cost of the client, compared in the same rounds with handwritten loops and the paging of other libraries, and its size in a browser.
 */
import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { count, installPeers, measure, peakOf, print, rounds, serve, tablesOf } from "./measure.ts"
import type { Options, Results, Row } from "./measure.ts"

const program = "coreCases.ts"
const overFetch = "@deedkit/core over fetch"
const overHttp = "@deedkit/core over node:http"
const bareFetch = "fetch + json()"
const bareHttp = "node:http + JSON.parse"
const libraries = [
  "stripe-node autopager",
  "openai-node autopager",
  "got.paginate",
  "octokit paginate.iterator",
]

interface Size {
  readonly contracts: number
  /** Records per page. */
  readonly page: number
}

/** Reads whole lists with each case in turn. */
const readInTurn = async (
  names: ReadonlyArray<string>,
  { contracts, page }: Size,
  times: number,
): Promise<Results> => {
  await using server = await serve(contracts, 0, page, 0)
  return await rounds(names, times, async (name) => {
    const result = await measure(program, "read", name, server.url)
    if (result.records !== contracts)
      throw new Error(`${name} saw ${result.records} of ${contracts} contracts`)
    return result
  })
}

type Limits = { readonly [name: string]: Row["limits"] }

/** User CPU time of reads, as ratios to the first. */
const readTable = async (names: ReadonlyArray<string>, size: Size, times: number, limits: Limits) => {
  const rows = Array.from(await readInTurn(names, size, times), ([name, found]): Row => ({
    name,
    figures: found.map(({ userMillis = 0 }) => userMillis),
    note: peakOf(found),
    limits: limits[name],
  }))
  const title = `Read of ${count(size.contracts)} contracts, ${size.page} a page, ${times} rounds`
  return print(title, "user CPU ms", rows)
}

/** The cost of 800,000 further records, after the engine has finished compiling. */
const slopeTable = async (times: number) => {
  const names = [bareHttp, overHttp]
  const small = await readInTurn(names, { contracts: 200_000, page: 500 }, times)
  const large = await readInTurn(names, { contracts: 1_000_000, page: 500 }, times)
  const user = (results: Results, name: string) => results.get(name)!.map(({ userMillis = 0 }) => userMillis)
  const rows = names.map((name): Row => ({
    name,
    figures: user(large, name).map((millis, round) => millis - user(small, name)[round]!),
    limits: name === overHttp ? { [bareHttp]: 1.15 } : {},
  }))
  return print(`From 200,000 to 1,000,000 contracts, 500 a page, ${times} rounds`, "user CPU ms", rows)
}

const memoryTable = async (times: number) => {
  const results = await readInTurn([bareHttp, overHttp], { contracts: 2_000_000, page: 500 }, times)
  const rows = Array.from(results, ([name, found]): Row => ({
    name,
    figures: found.map(({ peakRssMegabytes }) => peakRssMegabytes),
    limits: name === overHttp ? { [bareHttp]: 1.05 } : {},
  }))
  return print("Peak memory of a read of 2,000,000 contracts", "peak RSS MB", rows)
}

const lookupTable = async (times: number) => {
  await using server = await serve(1_000, 0, 100, 1)
  const name = "40 lookups at once, from cold"
  const results = await rounds([name], times, () => measure(program, "lookups", server.url))
  const figures = results.get(name)!.map(({ wallMillis }) => wallMillis)
  return print("Lookups by id, a server that answers in 1 ms", "wall ms", [{ name, figures, atMost: 300 }])
}

const busyTable = async (times: number) => {
  await using server = await serve(20_000, 0, 100, 20)
  const chain = "requests one after the other, no work"
  const busy = "@deedkit/core, 10 ms of work a page"
  const results = await rounds([chain, busy], times, (name) =>
    name === chain ? measure(program, "read", bareHttp, server.url) : measure(program, "busy", server.url),
  )
  const rows = Array.from(results, ([name, found]): Row => ({
    name,
    figures: found.map(({ wallMillis }) => wallMillis),
    limits: name === busy ? { [chain]: 1.02 } : {},
  }))
  return print("Wall time with a 20 ms server, 200 pages of 100", "wall ms", rows)
}

const checkTable = (size: number) => {
  const flags = ["--conditions=@deedkit/source", "--disallow-code-generation-from-strings"]
  const command = [...flags, join(import.meta.dirname, program), "checks", String(size)]
  const { stdout } = spawnSync(process.execPath, command, { encoding: "utf8" })
  const figures: ReadonlyArray<{ readonly parse: number; readonly check: number }> = JSON.parse(stdout)
  const title = `Checks of a page of ${size} beside its parsing, code from strings forbidden`
  const parse = "JSON.parse"
  return print(title, "CPU µs a page", [
    { name: parse, figures: figures.map((figure) => figure.parse) },
    {
      name: "isContract on each record",
      figures: figures.map((figure) => figure.check),
      limits: { [parse]: 0.15 },
    },
  ])
}

/**
 * Programs for a browser and their limits in kB, the project's budget. The Effect entry is over it by about what Effect's own layers and streams take.
 */
const sizes: ReadonlyArray<readonly [name: string, limit: number | undefined, source: string]> = [
  [
    "Effect alone: runPromise(succeed)",
    undefined,
    `import * as Effect from "effect/Effect"
      console.log(await Effect.runPromise(Effect.succeed(1)))`,
  ],
  ["promise entry, whole", 45, `export * from "@deedkit/core/promise"`],
  [
    "promise entry: createClient and ClientError",
    45,
    `export { ClientError, createClient } from "@deedkit/core/promise"`,
  ],
  [
    "Effect alone: a layer and a stream",
    undefined,
    `import * as Context from "effect/Context"
      import * as Effect from "effect/Effect"
      import * as Layer from "effect/Layer"
      import * as Stream from "effect/Stream"
      class Numbers extends Context.Service<Numbers, Stream.Stream<number>>()("Numbers") {}
      const read = Effect.flatMap(Numbers, Stream.runCount)
      console.log(await Effect.runPromise(Effect.provide(read, Layer.succeed(Numbers, Stream.range(1, 9)))))`,
  ],
  [
    "Effect entry: a layer and a read",
    45,
    `import { PropertyClient } from "@deedkit/core"
      import * as Effect from "effect/Effect"
      import * as Stream from "effect/Stream"
      const read = Effect.gen(function* () {
        const client = yield* PropertyClient.PropertyClient
        return yield* Stream.runCount(client.contracts.list())
      })
      console.log(await Effect.runPromise(Effect.provide(read, PropertyClient.layer({ baseUrl: "https://a.test", apiKey: "k" }))))`,
  ],
]

/** Bundled for browsers, minified, with gzip at its highest level. */
const sizeTable = async () => {
  const folder = await mkdtemp(join(import.meta.dirname, ".size-"))
  const rows: Array<Row> = []
  for (const [name, atMost, source] of sizes) {
    const input = join(folder, "program.ts")
    await writeFile(input, source)
    const conditionNames = ["@deedkit/source", "import", "default"]
    const bundle = await rolldown({ input, platform: "browser", resolve: { conditionNames } })
    const { output } = await bundle.generate({ format: "esm", minify: true })
    rows.push({ name, figures: [gzipSync(output[0].code, { level: 9 }).byteLength / 1_000], atMost })
  }
  await rm(folder, { recursive: true })
  return print("Size in a browser", "kB min+gzip", rows)
}

export const bench = (options: Options): AsyncGenerator<string> => {
  const { rounds: times } = options
  return tablesOf(
    {
      async *short() {
        const limits = { [overHttp]: { [bareHttp]: 1.6 } }
        for (const page of [500, 100])
          yield await readTable([bareHttp, overHttp], { contracts: 20_000, page }, times * 2, limits)
      },
      async *long() {
        const names = [bareFetch, bareHttp, overFetch, overHttp]
        for (const [page, limit] of [
          [500, 0.85],
          [100, 0.8],
        ] as const) {
          const limits = { [overHttp]: { [bareFetch]: limit } }
          yield await readTable(names, { contracts: 200_000, page }, times, limits)
        }
      },
      async *slope() {
        yield await slopeTable(times)
      },
      async *fetch() {
        const limits = { [overFetch]: { [bareFetch]: 1.15 } }
        yield await readTable([bareFetch, overFetch], { contracts: 1_000_000, page: 500 }, times, limits)
      },
      /** The client must be faster than every other library, for lists of any length. */
      async *peers() {
        installPeers()
        const limits = { [overHttp]: Object.fromEntries(libraries.map((name) => [name, 1])) }
        for (const pages of [1, 40, 400, 2_000]) {
          const size = { contracts: pages * 100, page: 100 }
          yield await readTable(
            [bareFetch, ...libraries, overHttp],
            size,
            pages > 40 ? times : times * 2,
            limits,
          )
        }
      },
      async *memory() {
        yield await memoryTable(Math.min(times, 3))
      },
      async *lookups() {
        yield await lookupTable(times)
      },
      async *busy() {
        yield await busyTable(times)
      },
      async *checks() {
        yield checkTable(500)
      },
      async *sizes() {
        yield await sizeTable()
      },
    },
    options,
  )
}
