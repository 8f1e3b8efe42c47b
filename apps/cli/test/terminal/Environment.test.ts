import { inspect } from "node:util"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { read } from "../../src/terminal/Environment.ts"

describe("the environment", () => {
  it("distinguishes a missing variable from an empty one", () => {
    expect(read({}).apiKey).toBeUndefined()
    const { apiKey, baseUrl, color } = read({ DEEDKIT_API_KEY: "", DEEDKIT_BASE_URL: "", NO_COLOR: "" })
    expect([apiKey === undefined ? null : Redacted.value(apiKey), baseUrl, color]).toEqual(["", "", "auto"])
  })

  it.each([
    [{}, "auto"],
    [{ FORCE_COLOR: "1" }, "always"],
    [{ CLICOLOR_FORCE: "1" }, "always"],
    [{ CLICOLOR_FORCE: "0" }, "never"],
    [{ FORCE_COLOR: "0" }, "never"],
    [{ CLICOLOR: "0" }, "never"],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, "never"],
  ])("reads from %o that colours are wanted %s", (table, color) => {
    expect(read(table).color).toBe(color)
  })

  it("never shows the key", () => {
    const variables = read({ DEEDKIT_API_KEY: "dk_secret_0123" })
    expect(`${JSON.stringify(variables)} ${inspect(variables)}`).not.toContain("dk_secret_0123")
  })

  it("knows how it was called", () => {
    expect([read({}).invocation, read({ npm_lifecycle_event: "start" }).invocation]).toEqual([
      "deedkit",
      "npx pnpm@12 deedkit",
    ])
  })

  it.each([
    [{ XDG_CONFIG_HOME: "/c", HOME: "/h" }, "/c"],
    [{ XDG_CONFIG_HOME: "c", HOME: "/h" }, "/h/.config"],
    [{ XDG_CONFIG_HOME: "", HOME: "" }, null],
    [{ APPDATA: "/roaming" }, "/roaming"],
    [{}, null],
  ])("%o has its folder at %s", (table, config) => {
    expect(read(table).configFolder).toEqual(config)
  })
})
