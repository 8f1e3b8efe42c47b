/** What a program of the promise entry brings to a browser: bundled and minified by rolldown, packed by gzip. */
import { gzipSync } from "node:zlib"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { beforeAll, describe, expect, it } from "vitest"

const entry = fileURLToPath(import.meta.resolve("@deedkit/core/promise"))

let modules: ReadonlyArray<string> = []
let packedBytes = 0

beforeAll(async () => {
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    resolve: { conditionNames: ["@deedkit/source", "import", "default"] },
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  modules = Object.entries(output[0].modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([id]) => id.replaceAll("\\", "/"))
  packedBytes = gzipSync(output[0].code, { level: 9 }).byteLength
})

describe("the promise entry, whole", () => {
  it.each(["Stream", "Channel", "Queue", "PubSub", "Schema", "Layer", "Logger", "Config"])(
    "has nothing of Effect's %s",
    (name) => {
      expect(modules.length).toBeGreaterThan(50)
      expect(modules.filter((id) => id.endsWith(`/effect/dist/${name}.js`))).toEqual([])
      expect(modules.some((id) => id.endsWith("/effect/dist/Fiber.js"))).toBe(true)
    },
  )

  it("has no streams, spans or loggers that its programs cannot reach", () => {
    const unreachable = /\/core\/src\/(?:PropertyClient|internal\/spans|checkup\/)/
    expect(modules.filter((id) => unreachable.test(id))).toEqual([])
  })

  it("weighs at most 45,000 bytes, min+gzip", () => {
    expect(packedBytes).toBeLessThanOrEqual(45_000)
  })
})
