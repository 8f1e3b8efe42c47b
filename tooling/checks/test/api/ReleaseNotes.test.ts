import { describe, expect, it } from "vitest"
import * as ReleaseNotes from "../../src/api/ReleaseNotes.ts"
import * as Tree from "../../src/tree/Tree.ts"

const folder = "packages/mail"
const api = (...code: ReadonlyArray<string>) => `# API\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\n`
const changeset = (name: string) => `---\n"${name}": minor\n---\n\nLetters can be sent.\n`
const before = (files: Readonly<Record<string, string>>) => (path: string) => files[path] ?? null

/** What is found in a state with these files, after an earlier one. */
const found = (now: Readonly<Record<string, string>>, earlier: Readonly<Record<string, string>>) =>
  ReleaseNotes.check(
    Tree.of({ "packages/mail/package.json": '{ "name": "@deedkit/mail" }', ...now }),
    folder,
    before(earlier),
    "main",
  ).map(({ path }) => path)

const old = { "packages/mail/api.md": api("// Sends.", "send: () => void") }
const changed = { "packages/mail/api.md": api("// Sends.", "send: (letter: string) => void") }

describe("a change of api.md", () => {
  it("asks for a changeset", () => {
    expect(found(changed, old)).toEqual(["packages/mail/api.md"])
    expect(found(old, {})).toEqual(["packages/mail/api.md"])
    expect(found(old, old)).toEqual([])
  })

  it("is told by a changeset that names the package", () => {
    expect(found({ ...changed, ".changeset/letters.md": changeset("@deedkit/mail") }, old)).toEqual([])
  })

  it.each([
    [".changeset/letters.md", changeset("@deedkit/mailbox")],
    [".changeset/letters.md", "---\n---\n\n@deedkit/mail: nothing to tell\n"],
    [".changeset/README.md", changeset("@deedkit/mail")],
    ["docs/letters.md", changeset("@deedkit/mail")],
  ])("is not told by %s: %j", (path, text) => {
    expect(found({ ...changed, [path]: text }, old)).toEqual(["packages/mail/api.md"])
  })

  it("is not told by a changeset that was there before the change, unless it is rewritten", () => {
    const told = { ".changeset/letters.md": changeset("@deedkit/mail") }
    expect(found({ ...changed, ...told }, { ...old, ...told })).toEqual(["packages/mail/api.md"])
    const rewritten = { ".changeset/letters.md": `${changeset("@deedkit/mail")}With a text.\n` }
    expect(found({ ...changed, ...rewritten }, { ...old, ...told })).toEqual([])
  })

  it("needs none where only sentences differ", () => {
    for (const code of [["// Sends a letter.", "send: () => void"], ["send: () => void  // Sends a letter."]])
      expect(found({ "packages/mail/api.md": api(...code) }, old)).toEqual([])
  })
})
