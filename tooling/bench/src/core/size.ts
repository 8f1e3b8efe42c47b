/**
 * The size of the client in a browser: a program bundled by rolldown for browsers, minified, with gzip at its highest level. The peer is the smallest
 * program that uses Effect alone.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import type { Row } from "../measure/Table.ts"
import { print } from "../measure/Table.ts"

const programs: ReadonlyArray<{
  readonly name: string
  readonly limit: number | null
  readonly source: string
}> = [
  {
    name: "Effect alone: runPromise(succeed)",
    limit: null,
    source: `import * as Effect from "effect/Effect"
      console.log(await Effect.runPromise(Effect.succeed(1)))`,
  },
  {
    name: "promise entry, whole",
    limit: 33,
    source: `export * from "@deedkit/core/promise"`,
  },
  {
    name: "promise entry: createClient and ClientError",
    limit: 33,
    source: `export { ClientError, createClient } from "@deedkit/core/promise"`,
  },
  {
    name: "Effect entry: a layer and a read",
    limit: 45,
    source: `import { PropertyClient } from "@deedkit/core"
      import * as Effect from "effect/Effect"
      import * as Stream from "effect/Stream"
      const read = Effect.gen(function* () {
        const client = yield* PropertyClient.PropertyClient
        return yield* Stream.runCount(client.contracts.list())
      })
      console.log(await Effect.runPromise(Effect.provide(read, PropertyClient.layer({ baseUrl: "https://a.test", apiKey: "k" }))))`,
  },
]

const kilobytes = async (folder: string, source: string): Promise<number> => {
  const input = join(folder, "program.ts")
  await writeFile(input, source)
  const bundle = await rolldown({
    input,
    platform: "browser",
    resolve: { conditionNames: ["@deedkit/source", "import", "default"] },
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  return gzipSync(output[0].code, { level: 9 }).byteLength / 1_000
}

/** Prints the sizes. The ratio of a limit is relative to the limit itself. */
export const sizeTable = async (): Promise<string> => {
  const folder = await mkdtemp(join(import.meta.dirname, ".size-"))
  const rows: Array<Row> = []
  for (const { limit, name, source } of programs) {
    const figures = [await kilobytes(folder, source)]
    rows.push({ name, figures, note: "", limits: {}, atMost: limit ?? undefined })
  }
  await rm(folder, { recursive: true })
  return print("Size in a browser", "kB min+gzip", rows)
}
