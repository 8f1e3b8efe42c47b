import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { dress } from "../../src/terminal/TerminalText.ts"
import { screen } from "../harness/InProcess.ts"

const take = async (bytes: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => bytes.write(text, (cause) => (cause ? reject(cause) : resolve())))

describe("the terminal", () => {
  it("shows a line that changes only where standard error can", () => {
    const tty = screen({ columns: 20 })
    tty.terminal.live("contracts: 3 pages, 150 records")
    tty.terminal.say("rate limited")
    tty.terminal.live(null)
    const line = "\u001B[2mcontracts: 3 pag…\u001B[22m"
    expect(tty.stderr()).toBe(`\r\u001B[2K${line}\r\u001B[2Krate limited\n${line}\r\u001B[2K`)

    for (const { stderr, terminal } of [screen(), screen({ columns: 20, env: { TERM: "dumb" } })]) {
      terminal.live("contracts: 3 pages")
      expect([terminal.canAnimate, stderr()]).toEqual([false, ""])
    }
  })

  it("writes no colour into a pipe, nor where none is wanted", () => {
    const coloured = screen({ columns: 80 })
    coloured.terminal.say("no", "red")
    expect(coloured.stderr()).toBe("\u001B[31mno\u001B[39m\n")
    for (const options of [
      {},
      { columns: 80, env: { NO_COLOR: "1" } },
      { columns: 80, env: { TERM: "dumb" } },
    ]) {
      const { stderr, terminal } = screen(options)
      terminal.say("no", "red")
      expect([stderr(), terminal.style("bold", "x")]).toEqual(["no\n", "x"])
    }
  })

  it("writes colours into a pipe where they are asked for", () => {
    for (const terminal of [
      screen({ env: { CLICOLOR_FORCE: "1" } }).terminal,
      screen({ env: { NO_COLOR: "1" } }).terminal.withColors("always"),
    ]) {
      expect(terminal.style("bold", "x")).toBe("\u001B[1mx\u001B[22m")
    }
  })

  it("makes bytes of files safe on a screen, and passes them untouched elsewhere", async () => {
    const hostile = "1,\u001B[2J\rx\r\n"
    const tty = screen({ columns: 80 })
    await take(tty.terminal.bytes, hostile)
    expect(tty.stdout()).toBe("1,␛[2J␍x\r\n")
    const pipe = screen()
    await take(pipe.terminal.bytes, hostile)
    expect(pipe.stdout()).toBe(hostile)
  })

  it("cleans every line of data but those that were dressed by who cleaned them", async () => {
    const { stdout, terminal } = screen({ columns: 80 })
    await Effect.runPromise(terminal.lines(["a\u001B[31mb\nc\u009Bd", "plain"]))
    await Effect.runPromise(terminal.dressed(dress([terminal.style("bold", "x")])))
    expect(stdout()).toBe("a␛[31mb␊c\uFFFDd\nplain\n\u001B[1mx\u001B[22m\n")
  })

  it("has 80 columns where the terminal does not know its width", () => {
    const { stderr, terminal } = screen({ columns: 0 })
    expect(terminal.width).toBe(80)
    terminal.say("word ".repeat(16).trim())
    expect(stderr()).toBe(`${"word ".repeat(16).trim()}\n`)
    terminal.live("x".repeat(100))
    expect(stderr()).toContain("x".repeat(76))
  })

  it("takes the live line away before it writes data", async () => {
    const { stderr, stdout, terminal } = screen({ columns: 80 })
    terminal.live("contracts: 1 page")
    await Effect.runPromise(terminal.lines(["a", "b"]))
    expect(stdout()).toBe("a\nb\n")
    expect(stderr().endsWith("\r\u001B[2K")).toBe(true)
  })
})
