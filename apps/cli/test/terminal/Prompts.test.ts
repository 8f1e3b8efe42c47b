import { PassThrough } from "node:stream"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import * as Prompts from "../../src/terminal/Prompts.ts"

/** A keyboard and a screen. */
const terminal = () => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const error = Object.assign(new PassThrough(), { isTTY: true })
  let shown = ""
  error.setEncoding("utf8").on("data", (text: string) => (shown += text))
  return { input, error, shown: () => shown, prompts: Prompts.make({ input, error }) }
}

describe("a question for a secret", () => {
  it("shows nothing of what is typed, pasted or corrected", async () => {
    const { input, prompts, shown } = terminal()
    const answer = Effect.runPromise(prompts.secret("Key: "))
    input.write("dk_secrez\u007Ft_0123\r")
    expect(await answer).toBe("dk_secret_0123")
    expect(shown()).toBe("Key: \n")
  })

  it("is asked once the terminal shows nothing of what is typed, for who answers at once", async () => {
    const { error, input, prompts, shown } = terminal()
    const raw: Array<readonly [boolean, string]> = []
    Object.assign(input, { setRawMode: (isRaw: boolean) => void raw.push([isRaw, shown()]) })
    error.once("data", () => input.write("dk_secret\r"))
    expect(await Effect.runPromise(prompts.secret("Key: "))).toBe("dk_secret")
    expect(raw[0]).toEqual([true, ""])
  })

  it("ends the program at Ctrl-C and at Ctrl-D", async () => {
    for (const key of ["\u0003", "\u0004"]) {
      const { input, prompts, shown } = terminal()
      const ended = Effect.runPromiseExit(prompts.secret("Key: "))
      input.write(`dk_sec${key === "\u0004" ? "\u0015" : ""}${key}`)
      const exit = await ended
      expect(Exit.isFailure(exit) && Exit.hasInterrupts(exit)).toBe(true)
      expect(shown()).toBe("Key: \n")
    }
  })
})

describe("a question for a text", () => {
  it("shows what is typed, and takes off what stands around it", async () => {
    const { input, prompts, shown } = terminal()
    const answer = Effect.runPromise(prompts.text("URL: "))
    input.write("  https://api.example.com \r")
    expect(await answer).toBe("https://api.example.com")
    expect(shown()).toContain("https://api.example.com")
  })

  it("is asked only where both ends are a terminal", () => {
    const pipe = new PassThrough()
    const { error, input } = terminal()
    expect(Prompts.make({ input, error }).canAsk).toBe(true)
    expect(Prompts.make({ input: pipe, error }).canAsk).toBe(false)
    expect(Prompts.make({ input, error: pipe }).canAsk).toBe(false)
  })
})
