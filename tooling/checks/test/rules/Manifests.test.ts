import { describe, expect, it } from "vitest"
import * as Finding from "../../src/tree/Finding.ts"
import * as Manifests from "../../src/rules/Manifests.ts"
import * as Tree from "../../src/tree/Tree.ts"
import { found } from "../workspace.ts"

const path = "packages/mail/package.json"
const entry = { "@deedkit/source": "./src/index.ts", default: "./dist/index.js" }
const whole = {
  name: "@deedkit/mail",
  description: "Mail",
  license: "MIT",
  type: "module",
  exports: { ".": entry },
}
const withManifest = (changes: object) =>
  Tree.of({ [path]: JSON.stringify({ ...whole, ...changes }), "packages/mail/src/index.ts": "" })
const withReadme = (text: string) =>
  Tree.of({ [path]: JSON.stringify(whole), "packages/mail/README.md": text })

describe("Manifests", () => {
  it("every package has a description and a license and is a module", () => {
    expect(found(Manifests.checkFields)).toEqual([])
  })

  it.each(["description", "license", "type"])("finds the manifest without %s", (field) => {
    expect(Manifests.checkFields(withManifest({}))).toEqual([])
    expect(Manifests.checkFields(withManifest({ [field]: undefined }))).toMatchObject([{ path }])
  })

  it("every entry of a published package resolves to its source first", () => {
    expect(found(Manifests.checkEntries)).toEqual([])
  })

  it.each([
    ["no entries", undefined],
    ["an entry that is a plain path", { ".": "./dist/index.js" }],
    [
      "a built file before the source",
      { ".": { default: "./dist/index.js", "@deedkit/source": "./src/index.ts" } },
    ],
    ["a source that is not there", { ".": { ...entry, "@deedkit/source": "./src/Index.ts" } }],
  ])("finds %s", (_, exports) => {
    expect(Manifests.checkEntries(withManifest({ exports }))).toMatchObject([{ path }])
  })

  it("takes whole entries, the manifest itself, and whatever a private package does", () => {
    expect(
      Manifests.checkEntries(withManifest({ exports: { ".": entry, "./package.json": "./package.json" } })),
    ).toEqual([])
    expect(Manifests.checkEntries(withManifest({ private: true, exports: undefined }))).toEqual([])
  })

  it("every package has a README that begins with a title and a sentence", () => {
    expect(found(Manifests.checkReadmes)).toEqual([])
  })

  it.each([
    "",
    "Mail\n\nSends mail.\n",
    "# Mail\nSends mail.\n",
    "# Mail\n\n## Use\n\nSends mail.\n",
    "# Mail\n\nsends mail\n",
  ])("finds what is wrong with %j", (text) => {
    expect(Manifests.checkReadmes(withReadme(text))).toHaveLength(1)
  })

  it("takes a README with a title and a sentence, and misses the one that is not there", () => {
    expect(Manifests.checkReadmes(withReadme("# Mail\n\nSends contracts\nby mail.\n\n## Use\n"))).toEqual([])
    expect(Finding.lines(Manifests.checkReadmes(withManifest({})))).toEqual([
      expect.stringContaining("packages/mail/README.md is missing"),
    ])
  })
})
