/**
 * A package is imported only through its `exports`: no path into another package's folder, no undeclared entry, and nothing of `internal/` outside
 * the package's own sources and tests. Examples import it like any user.
 */
import type { Finding } from "../tree/Finding.ts"
import { isRelative, packageOf, resolve } from "../tree/Imports.ts"
import type { Tree } from "../tree/Tree.ts"
import type { Module } from "../tree/Workspace.ts"
import { modules, packages } from "../tree/Workspace.ts"

const objectionToPath = (module: Module, specifier: string): string | null => {
  const target = resolve(module.path, specifier)
  if (!target.startsWith(`${module.package.folder}/`))
    return "that leaves the package; import the other package by its name"
  if (module.area === "examples" && target.startsWith(`${module.package.folder}/src/`))
    return `an example shows what a user writes; import ${module.package.manifest.name}`
  return null
}

export const check = (tree: Tree): ReadonlyArray<Finding> => {
  const byName = new Map(packages(tree).map(({ manifest }) => [manifest.name, manifest]))

  const objectionToEntry = (specifier: string): string | null => {
    const name = packageOf(specifier) ?? ""
    const target = byName.get(name)
    const entry = `.${specifier.slice(name.length)}`
    return target === undefined || Object.hasOwn(target.exports ?? {}, entry)
      ? null
      : `${name} exports no ${entry}; take one of ${Object.keys(target.exports ?? {}).join(", ") || "none"}`
  }

  return modules(tree).flatMap((module) =>
    module.source.imports.flatMap(({ specifier, line }) => {
      const reason = isRelative(specifier) ? objectionToPath(module, specifier) : objectionToEntry(specifier)
      return reason === null
        ? []
        : [{ path: module.path, line, message: `imports ${specifier}, but ${reason}` }]
    }),
  )
}
