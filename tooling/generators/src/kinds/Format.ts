/** A file format: a package of its own, with its import rule, its place in the build and its entry in the CLI's list. */
import * as Edit from "../plan/Edit.ts"
import { Refused } from "../plan/Refused.ts"
import type { Kind } from "../plan/Plan.ts"
import * as text from "../templates/format.ts"
import * as around from "../templates/formatPackage.ts"

const names = "apps/cli/src/export/formats/FormatName.ts"
const list = /(const formats = \[)([^\]]*)/
const published = /(^const packages = \[)([^\]]*)/m
/** Endings of packed files, whatever their format. */
const packings = new Set(["gz", "zst"])
const references = /("references": \[)([^\]]*)/

export const format: Kind = {
  taken: (tree) => Edit.itemsOf(tree, names, list),
  plan: (name) => {
    const { camel, kebab, pascal } = name
    if (packings.has(kebab)) {
      throw new Refused(
        `A file whose name ends in .${kebab} is a packed file of another format. Choose another name.`,
      )
    }
    const folder = `packages/export-${kebab}`
    const npm = `@deedkit/export-${kebab}`
    const reference = (path: string) =>
      Edit.line(/^ {4}\{ "path": "(packages\/export-[^"]+)" \},$/, `    { "path": "${path}" },`)
    return {
      made: {
        [`${folder}/package.json`]: around.manifest(name),
        [`${folder}/tsconfig.json`]: around.project,
        [`${folder}/test/tsconfig.json`]: around.testProject,
        [`${folder}/README.md`]: around.readme(name),
        [`${folder}/src/Facts.ts`]: text.facts(name),
        [`${folder}/src/Format.ts`]: text.entry(name),
        [`${folder}/src/${pascal}Writer.ts`]: text.writer(name),
        [`${folder}/src/${pascal}Reader.ts`]: text.reader(name),
        [`${folder}/src/index.ts`]: text.index(name),
        [`${folder}/examples/bytes.ts`]: text.example(name),
        [`${folder}/test/Format.test.ts`]: text.test(name),
      },
      edits: {
        "tooling/checks/src/rules/Directions.ts": [
          Edit.line(/^ {2}"(@deedkit\/export-[\w-]+)": \[.*$/, `  "${npm}": ["@deedkit/export"],`),
        ],
        "tooling/checks/test/release/Packages.test.ts": [Edit.item(published, `"export-${kebab}"`, "sorted")],
        "tsconfig.json": [reference(folder), reference(`${folder}/test`)],
        "apps/cli/tsconfig.json": [
          Edit.item(references, `{\n      "path": "../../${folder}"\n    }`, "sorted"),
        ],
        "apps/cli/package.json": [
          Edit.line(/^ {4}"(@deedkit\/export-[\w-]+)": "workspace:\^",$/, `    "${npm}": "workspace:^",`),
        ],
        [names]: [
          Edit.line(
            /^import .* from "@deedkit\/export-([\w-]+)\/format"$/,
            `import { ${camel} } from "${npm}/format"`,
          ),
          Edit.item(list, camel, "last"),
        ],
        "apps/cli/README.md": [
          Edit.after(/(?<=^The extension sets the format:) `[^\n]*`(?=\. )/m, ` \`.${kebab}\``),
        ],
        ".github/project-layout.md": [Edit.line(/^ {2}export-([\w-]+)\/ .*$/, around.layout(name))],
      },
      next: [
        "Run pnpm install: it links the package, and the lockfile changes.",
        `Write ${folder}/src/${pascal}Writer.ts and what the format is: Facts.ts, the label in Format.ts, README.md of the package.`,
        `Where a spreadsheet cannot evaluate a text of the format, take the formula guard out of ${pascal}Writer.ts and ${pascal}Reader.ts.`,
        'To offer it in the extension, follow "A format" in .github/project-layout.md.',
      ],
    }
  },
}
