/** The program's own words stay as they are: no habit of another program takes one of them. */
import { describe, expect, it } from "vitest"
import { translate } from "../../src/command/Translate.ts"
import { call } from "../harness/InProcess.ts"

const { stdout: reference } = await call(["--reference"])

/** Each command with its part of the reference: `["export contracts", "…"]`. */
const parts = reference
  .split(/^### deedkit /m)
  .slice(1)
  .map((part) => [/^.*/.exec(part)![0], part.split(/^## /m)[0]!] as const)

const words = (line: string): ReadonlyArray<string> => line.split(" ")

describe("the program's own words", () => {
  it("are those of more than twenty commands", () => {
    expect(parts.length).toBeGreaterThan(20)
  })

  it.each(parts.map(([command]) => command).filter((command) => command !== "schedule"))(
    "%s is no habit of another program",
    (command) => {
      expect(translate(words(command))).toMatchObject({ args: words(command), refusal: null })
    },
  )

  it.each(
    parts
      .filter(([command]) => command !== "schedule")
      .flatMap(([command, part]) =>
        [...part.matchAll(/^- `(--[a-z-]+)(?:, (-[a-z]))?( [^`]*)?`(?:.*\(choices: ([^)]*)\))?/gm)].flatMap(
          ([, flag = "", short, value, choices]) =>
            (value === undefined ? [null] : (choices?.split(", ") ?? ["value"])).map(
              (given) => [command, short ?? flag, given, flag] as const,
            ),
        ),
      ),
  )("%s takes its own %s %s", (command, typed, given, flag) => {
    const line = given === null ? [typed] : [typed, given]
    const { args, refusal } = translate([...words(command), ...line])
    expect(refusal).toBeNull()
    expect(args.slice(0, words(command).length)).toEqual(words(command))
    // `--format json` of a list is its `--json`.
    expect([typed, flag, `--${given}`]).toContain(args[words(command).length]?.split("=")[0])
  })
})
