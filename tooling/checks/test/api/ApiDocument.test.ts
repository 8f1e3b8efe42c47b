import { describe, expect, it } from "vitest"
import * as ApiDocument from "../../src/api/ApiDocument.ts"
import * as Finding from "../../src/tree/Finding.ts"
import * as Tree from "../../src/tree/Tree.ts"

const folder = "packages/mail"
const manifest = {
  name: "@deedkit/mail",
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./node": { types: "./dist/node.d.ts", default: "./dist/node.js" },
    "./package.json": "./package.json",
  },
}
const header = "/** What this file is for. */\n\n"

/** A built package with these declarations. */
const built = (files: Readonly<Record<string, string>>): Tree.Tree =>
  Tree.of({
    [`${folder}/package.json`]: JSON.stringify(manifest),
    [`${folder}/dist/index.d.ts`]: header,
    [`${folder}/dist/node.d.ts`]: header,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/dist/${name}`, text])),
  })
/** The lines of the document that are declarations or sentences about them. */
const shown = (files: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  ApiDocument.render(built(files), folder)
    .split("\n")
    .slice(7)
    .filter((line) => line !== "" && !line.startsWith("```"))
const silent = (files: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Finding.lines(ApiDocument.checkDocs(built(files), folder))

const letter = `${header}/** A letter. It has a text. */\nexport interface Letter {\n    /** Of any length. */\n    readonly text: string;\n}\n`

describe("api.md", () => {
  it("shows what an entry exports, with the first sentence about it, wherever it is declared", () => {
    const files = {
      "index.d.ts": `${header}export type { Letter as Mail } from "./Letter.ts";\nexport * from "./send.js";\n`,
      "Letter.d.ts": letter,
      "send.d.ts": `${header}import type { Letter } from "./Letter.ts";\n/** Sends e.g. a letter. Fails. */\nexport declare const send: (letter: Letter) => void;\n`,
    }
    expect(shown(files)).toEqual([
      "## `@deedkit/mail`",
      "// Mail:",
      "// A letter.",
      "Letter { text: string }",
      "send: (letter: Letter) => void  // Sends e.g. a letter.",
      "## `@deedkit/mail/node`",
    ])
  })

  it("shows a namespace under its name, and a name that was shown before only by name", () => {
    const files = {
      "index.d.ts": `${header}/** Letters. */\nexport * as Letters from "./Letter.ts";\n`,
      "node.d.ts": `${header}import { Letter } from "./Letter.ts";\nexport { Letter };\n`,
      "Letter.d.ts": letter,
    }
    expect(shown(files)).toEqual([
      "## `@deedkit/mail`",
      "### Letters",
      "Letters.",
      "Letter { text: string }  // A letter.",
      "## `@deedkit/mail/node`",
      "- from `Letters`: `Letter`",
    ])
  })

  it("shows the value and the type of one name, and a class without the base that the compiler names", () => {
    const files = {
      "index.d.ts": `${header}/** A stamp. */\nexport declare const Stamp: number;\nexport type Stamp = typeof Stamp;\ndeclare const Post_base: new () => object;\n/** The post. */\nexport declare class Post extends Post_base {\n}\n`,
    }
    expect(shown(files).slice(1, -1)).toEqual([
      "// A stamp.",
      "Stamp: number",
      "Stamp = typeof Stamp",
      "class Post extends Post_base {}  // The post.",
    ])
  })

  it("leaves out what is marked @internal: an export, a member of an interface", () => {
    const files = {
      "index.d.ts": `${header}export * from "./Letter.ts";\n/** Opens it. @internal */\nexport declare const open: () => void;\n`,
      "Letter.d.ts": `${header}/** A letter. */\nexport interface Letter {\n    readonly text: string;\n    /**\n     * Where it was.\n     * @internal\n     */\n    readonly way: { readonly places: number; };\n    readonly from: string;\n}\n`,
    }
    expect(shown(files).slice(1, -1)).toEqual(["Letter { text, from: string }  // A letter."])
  })

  it("lists of a module whose types alone are exported no values", () => {
    const files = {
      "index.d.ts": `${header}export type * from "./Letter.ts";\n`,
      "Letter.d.ts": `${letter}/** A stamp. */\nexport declare const stamp: number;\n`,
    }
    expect(shown(files).slice(1, -1)).toEqual(["Letter { text: string }  // A letter."])
  })

  it("names Schemas that hold the type of their name together, and of an object of Schemas the members", () => {
    const files = {
      "index.d.ts": `${header}/** Letters. */\nexport declare const LetterSchema: Schema.Codec<Letter>;\n/** A stamp. */\nexport declare const StampSchema: Schema.Codec<Stamp>;\n/** Of letters. */\nexport declare const fields: {\n    readonly text: Schema.String;\n    readonly stamps: Schema.Array<Schema.Union<["a", "b"]>>;\n};\n`,
    }
    expect(shown(files).slice(1, -1)).toEqual([
      "fields: { text, stamps }  // Of letters.",
      "// Schemas of the types that they are named after.",
      "LetterSchema, StampSchema: Schema.Codec",
    ])
  })

  it("refuses an export that leads nowhere", () => {
    const files = { "index.d.ts": `${header}export { Letter } from "./Letter.ts";\n`, "Letter.d.ts": header }
    expect(() => shown(files)).toThrow(
      "packages/mail/dist/index.d.ts exports Letter, which is declared nowhere",
    )
  })
})

describe("an export without a docstring", () => {
  it("is found once, at its source, also inside a namespace", () => {
    const files = {
      "index.d.ts": `${header}export { send } from "./send.ts";\n/** Letters. */\nexport * as Letters from "./send.ts";\n`,
      "send.d.ts": `${header}export declare const send: () => void;\n`,
    }
    expect(silent(files)).toEqual([
      "packages/mail/src/send.ts exports send without a docstring: say what it is, with shapes, units, defaults and errors",
    ])
  })

  it.each([
    ["a namespace", 'export * as Letters from "./Letter.ts";\n'],
    ["a comment that is no docstring", "// A letter.\nexport type Letter = string;\n"],
    ["a docstring of something else", "/** A. */\nexport type A = 1;\nexport type B = 2;\n"],
  ])("is found: %s", (_what, text) => {
    expect(silent({ "index.d.ts": header + text, "Letter.d.ts": letter })).toHaveLength(1)
  })

  it("is not found where one of several declarations of the name has one", () => {
    const text = "/** A stamp. */\nexport declare const Stamp: number;\nexport type Stamp = typeof Stamp;\n"
    expect(silent({ "index.d.ts": header + text })).toEqual([])
  })
})
