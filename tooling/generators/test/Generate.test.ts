/** What would be written into this workspace, as texts. Nothing here writes. */
import { Tree } from "@deedkit/checks"
import { describe, expect, it } from "vitest"
import type { Request } from "../src/Generate.ts"
import { generate } from "../src/Generate.ts"
import type { Changes } from "../src/plan/Plan.ts"
import { Refused } from "../src/plan/Refused.ts"

const here = Tree.read(Tree.root)
const withChanges = (tree: Tree.Tree, { changed, made }: Changes) =>
  Tree.changed(tree, { ...changed, ...made })

/** One of each kind that can be made. */
const requests: ReadonlyArray<Request> = [
  { kind: "fault", name: "sample-thing", category: "bodies" },
  { kind: "command", name: "sample-thing", folder: "export/verify" },
  { kind: "command", name: "sample-thing", group: "keys" },
  { kind: "endpoint", name: "sample-thing" },
  { kind: "format", name: "sample-thing" },
]
const title = ({ category, folder, group, kind, name }: Request) =>
  [kind, group, name, category ?? folder].filter((part) => part !== undefined).join(" ")
const each = requests.map((request) => [title(request), request] as const)

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\w+/g) ?? []

/** Whether all words are among the others, in their order. */
const isWithin = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean => {
  let at = 0
  for (const other of others) if (other === words[at]) at += 1
  return at === words.length
}

/** A word that is replaced, in two halves, so that the rule does not find it here. */
const replaced = ["tal", "ly"].join("")

/** The sentence with which a request is refused. */
const refusal = async (request: Request, tree = here): Promise<string> => {
  const error: unknown = await generate(request, tree).catch((reason: unknown) => reason)
  if (!(error instanceof Refused)) throw new Error("was not refused", { cause: error })
  return error.message
}

describe.each(each)("%s", (_, request) => {
  it("has sources, a test, and a place in lists that are there", async () => {
    const { changed, made, next } = await generate(request, here)
    expect(Object.keys(made).filter((path) => here.has(path))).toEqual([])
    expect(Object.keys(changed).filter((path) => !here.has(path))).toEqual([])
    expect(Object.keys(made).some((path) => path.endsWith(".test.ts"))).toBe(true)
    expect(Object.keys(changed).length).toBeGreaterThan(0)
    expect(next.length).toBeGreaterThan(0)
  })

  it("takes nothing away", async () => {
    const { changed } = await generate(request, here)
    for (const [path, text] of Object.entries(changed)) {
      expect([path, isWithin(wordsOf(here.text(path)), wordsOf(text))]).toEqual([path, true])
    }
  })

  it("is made once", async () => {
    const tree = withChanges(here, await generate(request, here))
    expect(await refusal(request, tree)).toContain(`The ${request.kind} sample-thing exists already`)
    expect(await refusal({ ...request, name: "samplething" }, tree)).toContain("already")
    expect(await refusal({ ...request, name: "Sample-Thing" }, tree)).toContain("is not a valid name")
  })

  it("leaves room for another one, on either side of it", async () => {
    const tree = withChanges(here, await generate(request, here))
    for (const name of ["another-thing", "unlike-thing"]) {
      const { changed } = await generate({ ...request, name }, tree)
      for (const path of Object.keys(changed)) expect(changed[path]).not.toBe(tree.text(path))
    }
  })

  it.each(["../x", "CON", "class", "größe", "x".repeat(41)])("has no name such as %s", async (name) => {
    expect(await refusal({ ...request, name })).toMatch(/^".*" (?:is|cannot be) /)
  })

  it("has no name that the rules of the tree refuse", async () => {
    expect(await refusal({ ...request, name: "key-manager" })).toContain("has a name that says nothing")
    expect(await refusal({ ...request, name: `${replaced}-sheet` })).toMatch(
      new RegExp(`^The name ${replaced}-sheet says "${replaced}"; write: .*\\. Choose another name\\.$`),
    )
  })

  it("needs the lists as it knows them", async () => {
    const { changed } = await generate(request, here)
    for (const path of Object.keys(changed)) {
      const conflict = Tree.changed(here, { [path]: `<<<<<<< ours\n${here.text(path)}` })
      expect(await refusal(request, conflict)).toBe(`${path} has conflicts. Resolve them first.`)
      const sentence = await refusal(request, Tree.changed(here, { [path]: "" }))
      expect(sentence.startsWith(path) || sentence.startsWith('No command "keys"')).toBe(true)
    }
    expect(await refusal(request, Tree.of({}))).toMatch(/ is missing\.$|^No command "keys"/)
  })
})

describe("what is refused", () => {
  it("is a kind that there is not", async () => {
    expect(await refusal({ kind: "package", name: "x" })).toBe(
      '"package" cannot be made. Use one of command, endpoint, fault, format.',
    )
  })

  it.each([
    ["fault", "rate-limit"],
    ["fault", "ratelimit"],
    ["endpoint", "me"],
    ["endpoint", "api-keys"],
    ["format", "csv"],
    ["format", "tsv"],
    ["command", "export"],
    ["command", "mcp"],
  ])("is the %s that there is: %s", async (kind, name) => {
    expect(await refusal({ kind, name, category: "bodies" })).toMatch(/already|identifier/)
  })

  it.each([
    [{ kind: "endpoint", name: "events" }, "PropertyClient.ts uses it for something else"],
    [{ kind: "endpoint", name: "promise" }, "promise is taken"],
    [{ kind: "endpoint", name: "issue" }, "Issue is taken"],
    [{ kind: "endpoint", name: "target" }, "ServiceRequest.ts uses it"],
    [{ kind: "command", name: "version", folder: "export/verify" }, "Main.ts uses it"],
    [{ kind: "command", name: "list", group: "keys" }, "already"],
    [{ kind: "command", name: "root", folder: "export/verify" }, "root is taken"],
    [{ kind: "format", name: "names" }, "FormatName.ts uses it"],
    [{ kind: "fault", name: "kinds", category: "bodies" }, "faults/index.ts uses it"],
    [{ kind: "fault", name: "define", category: "bodies" }, "define is taken"],
    [{ kind: "format", name: "line" }, "packages/export-line/src/LineWriter.ts uses it"],
  ])("is a name by which a file knows something else: %j", async (request, sentence) => {
    expect(await refusal(request)).toContain(sentence)
  })

  it.each(["gz", "zst"])("is a format whose files would be taken for packed ones: %s", async (name) => {
    expect(await refusal({ kind: "format", name })).toMatch(
      /packed file of another format\. Choose another name\.$/,
    )
  })

  it("is a file that is there, whatever its capitals", async () => {
    const path = "packages/emulator/src/routes/SAMPLETHING.ts"
    const tree = Tree.changed(here, { [path]: "" })
    expect(await refusal({ kind: "endpoint", name: "sample-thing" }, tree)).toBe(`${path} exists already.`)
  })

  it.each(["store", "records"])("is a command whose own folder is there: %s", async (name) => {
    expect(await refusal({ kind: "command", name })).toBe(
      `apps/cli/src/${name} is there already. Choose the --folder of another command.`,
    )
  })

  it.each(["dist", "coverage"])("is a command whose folder git ignores: %s", async (name) => {
    expect(await refusal({ kind: "command", name })).toContain(`Git ignores every folder ${name}`)
  })

  it("is a fault without a category that there is, and these are listed", async () => {
    const known = "bodies, cursors, delivery, records, refusals."
    const fault = { kind: "fault", name: "sample-thing" }
    expect(await refusal(fault)).toBe(`Missing --category. A fault belongs to one of ${known}`)
    expect(await refusal({ ...fault, category: "../bodies" })).toBe(
      `There is no category "../bodies". Use one of ${known}`,
    )
  })

  it.each(["me", "..", "__proto__", ""])("is a command below %j, which has no subcommands", async (group) => {
    expect(await refusal({ kind: "command", name: "sample-thing", group })).toMatch(
      /has subcommands\. These have: .*\bkeys\b/,
    )
  })

  it.each(["nowhere", "../../emulator", "store"])(
    "is a command in %s, where no commands are",
    async (folder) => {
      expect(await refusal({ kind: "command", name: "sample-thing", folder })).toMatch(
        /^There are no commands in ".*"\. They are in .*doctor/,
      )
    },
  )

  it("is what a folder has no room for, with what to do", async () => {
    const full = Array.from({ length: 14 }, (_, at) => [`apps/cli/src/export/verify/F${at}.ts`, ""])
    const tree = Tree.changed(here, Object.fromEntries(full))
    const request = { kind: "command", name: "sample-thing", folder: "export/verify" }
    expect(await refusal(request, tree)).toMatch(
      /^apps\/cli\/src\/export\/verify has \d+ entries, over 14: .*\nChoose the --folder of another command\.$/,
    )
  })
})
