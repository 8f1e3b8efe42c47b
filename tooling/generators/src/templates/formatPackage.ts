/** The texts around the sources of a new format: its manifest, its projects, its README and its line in the tree of packages. */
import type { Name } from "../plan/Name.ts"

export const manifest = ({ kebab, words }: Name): string => `
{
  "name": "@deedkit/export-${kebab}",
  "version": "0.0.0",
  "description": "The format ${words} for Deedkit tables",
  "license": "MIT",
  "files": ["dist", "src", "!dist/.tsbuildinfo"],
  "type": "module",
  "sideEffects": false,
  "exports": {
    ".": {
      "@deedkit/source": "./src/index.ts",
      "types": "./dist/index.d.ts",
      "default": "./dist/index.js"
    },
    "./format": {
      "@deedkit/source": "./src/Format.ts",
      "types": "./dist/Format.d.ts",
      "default": "./dist/Format.js"
    },
    "./package.json": "./package.json"
  },
  "scripts": {
    "build": "tsc -b",
    "test": "vitest run --root ../.. --project @deedkit/export-${kebab}"
  },
  "dependencies": {
    "@deedkit/export": "workspace:^"
  },
  "devDependencies": {
    "@deedkit/core": "workspace:^",
    "effect": "catalog:"
  },
  "peerDependencies": {
    "effect": "catalog:peers"
  },
  "engines": {
    "node": ">=22.19"
  }
}
`

export const project = `
{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": [{ "path": "../export" }]
}
`

export const testProject = `
{
  "extends": "../../../tsconfig.base.json",
  "compilerOptions": {
    "rootDir": "../../..",
    "outDir": "../node_modules/.cache/types",
    "tsBuildInfoFile": "../node_modules/.cache/types/.tsbuildinfo",
    "emitDeclarationOnly": true,
    "rewriteRelativeImportExtensions": false,
    "allowImportingTsExtensions": true,
    "types": ["node"]
  },
  "include": [".", "../examples"],
  "references": [{ "path": ".." }, { "path": "../../export" }]
}
`

export const readme = ({ kebab, pascal, words }: Name): string => `
# @deedkit/export-${kebab}

The format ${words} for Deedkit tables: one line of headings, and one line a record.

\`\`\`ts
import { contracts, TableWriter } from "@deedkit/export"
import { writer } from "@deedkit/export-${kebab}"

const bytes = TableWriter.bytes(writer(), contracts, pages)
\`\`\`

\`pages\` is a stream of pages of records, and \`bytes\` is a stream of chunks, one a page. \`examples/bytes.ts\` shows the text that is written. Each line is a JSON
array of texts in UTF-8. A cell without a value is the empty text, and a number is its digits. Text that a spreadsheet might evaluate gets an apostrophe;
\`writer({ formulaGuard: "off" })\` writes it as it is.

## Modules

| file | what is in it |
| --- | --- |
| \`Format.ts\` | the description of the format (\`FileFormat\`): the entry \`./format\` |
| \`Facts.ts\` | name, extension, media type and limits |
| \`${pascal}Writer.ts\` | pages in, bytes out |
| \`${pascal}Reader.ts\` | reads files back |

## Errors and what to do

The writer has no errors of its own: it passes on the errors of its pages.

## May depend on

\`@deedkit/export\`.
`

/** Its line in the tree of packages. */
export const layout = ({ kebab, words }: Name): string =>
  `  ${`export-${kebab}/`.padEnd(15)} ${`@deedkit/export-${kebab}`.padEnd(24)} ${words}; imports export`
