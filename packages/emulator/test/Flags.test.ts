import { defaults, kinds } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { help, parse } from "../src/Flags.ts"

describe("flags", () => {
  it("have defaults", () => {
    expect(parse([])).toEqual({
      help: false,
      quiet: false,
      host: "127.0.0.1",
      port: 0,
      controlPort: undefined,
      emulator: { contracts: 250, keys: 12, seed: 1, hurting: false, assumptions: {}, faults: [] },
    })
  })

  it("become options", () => {
    const args =
      "--port 8080 --contracts 7 --keys 6 --seed 3 --hurting --quiet --control-port=0 --assume ordering=random --assume defaultLimit=5 --fault drop --fault gzip"
    expect(parse(args.split(" "))).toEqual({
      help: false,
      quiet: true,
      host: "127.0.0.1",
      port: 8080,
      controlPort: 0,
      emulator: {
        contracts: 7,
        keys: 6,
        seed: 3,
        hurting: true,
        assumptions: { ordering: "random", defaultLimit: 5 },
        faults: ["drop", "gzip"],
      },
    })
  })

  it.each([
    [["--falt", "x"], 'there is no flag --falt; did you mean "--fault"?'],
    [["--assume", "ordring=x"], 'did you mean "ordering"?'],
    [["--port", "x"], '--port cannot be "x"'],
    [["--port", "80000"], "from 0 to 65535"],
    [["--contracts", "-1"], "--contracts"],
    [["--port"], "--port needs a value"],
    [["--quiet=1"], "--quiet takes no value"],
    [["stray"], '"stray" is not a flag'],
  ])("%j are refused with a sentence", (args, sentence) => {
    expect(() => parse(args)).toThrow(sentence)
  })
})

describe("help", () => {
  it("names every fault, every assumption and every flag", () => {
    const text = help()
    for (const { name } of kinds) expect(text).toMatch(new RegExp(`^  ${name} `, "m"))
    for (const name of Object.keys(defaults)) expect(text).toContain(`  ${name}=`)
    for (const flag of [
      "port",
      "host",
      "contracts",
      "keys",
      "seed",
      "hurting",
      "assume",
      "fault",
      "control-port",
      "site-port",
    ]) {
      expect(text).toContain(`--${flag}`)
    }
  })
})
