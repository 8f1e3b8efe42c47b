import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { call } from "../harness/InProcess.ts"

const print = async (flag: string): Promise<string> => {
  const { code, stderr, stdout } = await call([flag])
  expect([code, stderr]).toEqual([0, ""])
  return stdout
}

const [man, markdown] = [await print("--man"), await print("--reference")]

/** The help of a command and of all below it, by the command's name. */
const helps = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { stdout } = await call([...path, "--help", "--all"])
  const names = (/^SUBCOMMANDS\n((?: {2}.+\n)+)/m.exec(stdout)?.[1] ?? "")
    .split("\n")
    .flatMap((line) => /^ {2}([a-z][a-z\d-]*)/.exec(line)?.[1] ?? [])
  const below = await Promise.all(names.map((name) => helps([...path, name])))
  return [[["deedkit", ...path].join(" "), stdout], ...below.flat()]
}

/** The part of a reference between a command's heading and the next one. */
const partOf = (text: string, start: string, next: RegExp): string => {
  const at = text.indexOf(start)
  if (at < 0) throw new Error(`There is no ${start}`)
  const rest = text.slice(at + start.length)
  return rest.slice(0, rest.search(next))
}

describe("the reference", () => {
  it("has every command with its flags and examples, as a man page and in Markdown", async () => {
    const [program, ...commands] = await helps([])
    expect(commands.length).toBeGreaterThan(20)
    for (const [command, help] of commands) {
      const page = partOf(man, `.SS "${command.replaceAll("-", "\\-")}"\n`, /^\.S[SH] /m)
      const part = partOf(markdown, `### ${command}\n`, /^##/m)
      const own = /^FLAGS\n([^]*?)(?:\n\n|$)/m.exec(help)?.[1] ?? ""
      for (const [, flag = ""] of own.matchAll(/^ {2}(--[a-z-]+)/gm)) {
        expect(page).toContain(flag.replaceAll("-", "\\-"))
        expect(part).toContain(`\`${flag}`)
      }
      for (const [, example = ""] of (help.split("\nEXAMPLES\n")[1] ?? "").matchAll(/^ {2}(deedkit .*)$/gm)) {
        expect(part).toContain(example)
      }
    }
    for (const [, flag = ""] of program![1].matchAll(/^ {2}(--[a-z-]+)/gm)) {
      expect(markdown.split("## Flags of every command")[1]).toContain(`\`${flag}`)
    }
  })

  it("is a page that man shows without a warning", ({ skip }) => {
    skip(spawnSync("groff", ["--version"]).status !== 0, "groff is not on this machine")
    const shown = spawnSync("groff", ["-man", "-ww", "-Tutf8", "-z"], { input: man, encoding: "utf8" })
    expect([shown.status, shown.stderr]).toEqual([0, ""])
    expect(man).toMatch(/^\.TH DEEDKIT 1/)
  })

  it("shows texts as they are: no line of them is a request, and nothing in them is markup", () => {
    const requests = man.split("\n").flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? [])
    expect(new Set(requests)).toEqual(new Set(["TH", "nh", "SH", "SS", "PP", "nf", "fi", "TP", "B"]))
    expect(man).not.toMatch(/(?<!\\)-/)
    expect(markdown.replaceAll(/```sh\n[^]*?```|`[^`\n]*`/g, "")).not.toMatch(/(?<!\\)[<>*]/)
    expect(markdown).not.toContain("\n\n\n")
  })
})
