/**
 * Every package that a module imports is declared in the manifest of its own package, and every version is in the catalog. Unused declarations are
 * checked by knip, not here.
 */
import type { Finding } from "../tree/Finding.ts"
import { packageOf } from "../tree/Imports.ts"
import type { Tree } from "../tree/Tree.ts"
import type { Manifest, Module } from "../tree/Workspace.ts"
import { manifest, modules } from "../tree/Workspace.ts"

/** Sources of a published package need their imports installed for users of the package. An app is bundled, so any section is accepted. */
const declared = ({ area, package: { room, manifest: own } }: Module, root: Manifest): Set<string> => {
  const installed = { ...own.dependencies, ...own.peerDependencies, ...own.optionalDependencies }
  const outside = area !== "src"
  return new Set([
    own.name,
    ...Object.keys(installed),
    ...(outside || room !== "packages" ? Object.keys(own.devDependencies ?? {}) : []),
    ...(outside ? Object.keys(root.devDependencies ?? {}) : []),
  ])
}

/** Imports that the module's own manifest does not declare. Tests and build scripts may also use the root's tools. */
export const checkDeclared = (tree: Tree): ReadonlyArray<Finding> => {
  const root = manifest(tree, "package.json")
  return modules(tree).flatMap((module) => {
    const known = declared(module, root)
    const section =
      module.area === "src" && module.package.room === "packages" ? "dependencies" : "devDependencies"
    return module.source.imports.flatMap(({ specifier, line }) => {
      const name = packageOf(specifier)
      return name === null || known.has(name)
        ? []
        : [
            {
              path: module.path,
              line,
              message: `imports ${name}; declare it under ${section} in ${module.package.folder}/package.json`,
            },
          ]
    })
  })
}

const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const

/** Manifests of the workspace itself. A folder that is installed separately, like the peers of the bench, has its own lockfile. */
const workspaceManifest = /^(?:(?:packages|apps|tooling)\/[^/]+\/)?package\.json$/

/** Versions that are in a manifest instead of in the catalog. */
export const checkVersions = (tree: Tree): ReadonlyArray<Finding> =>
  tree.paths
    .filter((path) => workspaceManifest.test(path))
    .flatMap((path) =>
      sections.flatMap((section) =>
        Object.entries(manifest(tree, path)[section] ?? {})
          .filter(([, version]) => !/^(?:catalog|workspace):/.test(version))
          .map(([name, version]) => ({
            path,
            line:
              tree
                .text(path)
                .split("\n")
                .findIndex((text) => text.includes(`"${name}": "${version}"`)) + 1,
            message: `gives ${name} the version ${version}; put it into the catalog of pnpm-workspace.yaml and write "catalog:"`,
          })),
      ),
    )
