/**
 * The self-description of every package: a manifest that a registry can show, entries that resolve to sources inside the workspace, and a README that
 * begins with its name and one sentence.
 */
import type { Finding } from "../tree/Finding.ts"
import type { Tree } from "../tree/Tree.ts"
import { packages } from "../tree/Workspace.ts"

/** The condition under which entries resolve to sources. It must be first, because the first matching condition is used. */
const condition = "@deedkit/source"

export const checkFields = (tree: Tree): ReadonlyArray<Finding> =>
  packages(tree).flatMap(({ folder, manifest: { description = "", license = "", type } }) => {
    const path = `${folder}/package.json`
    return [
      ...(description === "" ? ["has no description: say in a line what the package is for"] : []),
      ...(license === "" ? ['has no license: write "license": "MIT"'] : []),
      ...(type === "module" ? [] : ['is not a module: write "type": "module"']),
    ].map((message) => ({ path, line: null, message }))
  })

export const checkEntries = (tree: Tree): ReadonlyArray<Finding> =>
  packages(tree)
    .filter(({ room, manifest }) => room === "packages" && manifest.private !== true)
    .flatMap(({ folder, manifest }) => {
      const path = `${folder}/package.json`
      const entries = Object.entries(manifest.exports ?? {}).filter(([entry]) => entry !== "./package.json")
      if (entries.length === 0)
        return [{ path, line: null, message: "is published and has no exports: list its entries" }]
      return entries.flatMap(([entry, target]) => {
        const source = typeof target === "string" ? undefined : target[condition]
        if (source === undefined || Object.keys(target)[0] !== condition)
          return [{ path, line: null, message: `entry ${entry}: its first condition must be ${condition}` }]
        const file = `${folder}/${source.replace(/^\.\//, "")}`
        return tree.has(file)
          ? []
          : [{ path, line: null, message: `entry ${entry} leads to ${file}, which is not there` }]
      })
    })

export const checkReadmes = (tree: Tree): ReadonlyArray<Finding> =>
  packages(tree).flatMap(({ folder }): ReadonlyArray<Finding> => {
    const path = `${folder}/README.md`
    if (!tree.has(path))
      return [
        {
          path,
          line: null,
          message: "is missing: write a title and one sentence on what the package is for",
        },
      ]
    return /^# \S[^\n]*\n\n(?![#\s>|`-])[^\n]+(?:\n[^\n]+)*?[.:]\n/.test(`${tree.text(path)}\n`)
      ? []
      : [
          {
            path,
            line: 1,
            message: "must open with `# name`, an empty line, and one sentence on what it is for",
          },
        ]
  })
