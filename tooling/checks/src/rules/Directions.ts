/**
 * Which package may import which. These tables are the architecture: a new package gets its line here before its first import. The client and the
 * emulator implement the specification independently, so neither imports the other; formats import the tables but not the client; apps can import
 * everything except each other.
 */
import type { Finding } from "../tree/Finding.ts"
import { packageOf } from "../tree/Imports.ts"
import type { Tree } from "../tree/Tree.ts"
import type { Module, Package } from "../tree/Workspace.ts"
import { modules, packages } from "../tree/Workspace.ts"

/** The workspace packages that the sources of each package in `packages/` may import. */
const allowed: { readonly [name: string]: ReadonlyArray<string> } = {
  "@deedkit/core": [],
  "@deedkit/emulator": [],
  "@deedkit/export": ["@deedkit/core"],
  "@deedkit/export-csv": ["@deedkit/export"],
  "@deedkit/export-parquet": ["@deedkit/export"],
  "@deedkit/export-xlsx": ["@deedkit/export"],
  "@deedkit/sync": ["@deedkit/core"],
  "@deedkit/sync-postgres": ["@deedkit/core", "@deedkit/sync"],
}

/** Packages that tests and examples of every package may import: the emulator of the service, and servers of other kinds. */
const forTests = ["@deedkit/emulator", "@deedkit/config"]

/** All packages that a package may import, directly or indirectly. */
const foundation = (name: string): ReadonlyArray<string> => {
  const direct = allowed[name] ?? []
  return direct.concat(direct.flatMap(foundation))
}

/** Why this module may not import that package; null if it may. */
const objection = (module: Module, target: Package): string | null => {
  const { name } = module.package.manifest
  const wanted = target.manifest.name
  switch (module.package.room) {
    case "tooling":
      return null
    case "apps":
      return target.room === "apps" ? "apps do not know each other; move what both need into a package" : null
    case "packages": {
      const sources = allowed[name] ?? []
      if (module.area === "src")
        return sources.includes(wanted)
          ? null
          : `its sources may import ${sources.join(", ") || "nothing of ours"}; move the code to the room that may`
      return forTests.includes(wanted) || foundation(name).includes(wanted)
        ? null
        : `its tests and examples may import what it stands on, and ${forTests.join(" and ")}`
    }
  }
}

export const check = (tree: Tree): ReadonlyArray<Finding> => {
  const byName = new Map(packages(tree).map((pkg) => [pkg.manifest.name, pkg]))
  const unknown = packages(tree)
    .filter(({ room, manifest }) => room === "packages" && !Object.hasOwn(allowed, manifest.name))
    .map(({ folder, manifest }) => ({
      path: `${folder}/package.json`,
      line: null,
      message: `${manifest.name} has no direction yet: say in tooling/checks/src/rules/Directions.ts what it may import`,
    }))
  const broken = modules(tree).flatMap((module) =>
    module.source.imports.flatMap(({ specifier, line }) => {
      const target = byName.get(packageOf(specifier) ?? "")
      if (target === undefined || target.folder === module.package.folder) return []
      const reason = objection(module, target)
      return reason === null
        ? []
        : [{ path: module.path, line, message: `imports ${specifier}, but ${reason}` }]
    }),
  )
  return [...unknown, ...broken]
}
