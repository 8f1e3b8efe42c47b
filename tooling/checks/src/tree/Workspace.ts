/**
 * The packages of the workspace and their files: the top folder, the manifest, and whether a file is source, test or example. The only place that
 * knows how folders become packages.
 */
import type { Source } from "./Source.ts"
import type { Tree } from "./Tree.ts"

interface Manifest {
  readonly name: string
  readonly description?: string
  readonly license?: string
  readonly type?: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Package {
  /** `packages/core` */
  readonly folder: string
  readonly room: "packages" | "apps" | "tooling"
  readonly manifest: Manifest
}

export interface Module {
  readonly path: string
  readonly package: Package
  /** The folder of the package that contains the module; `root` beside the manifest or in any other folder. */
  readonly area: "src" | "test" | "examples" | "root"
  readonly source: Source
}

const manifest = (tree: Tree, path: string): Manifest => JSON.parse(tree.text(path)) as Manifest

export const packages = (tree: Tree): ReadonlyArray<Package> =>
  tree.paths.flatMap((path) => {
    const found = /^((packages|apps|tooling)\/[^/]+)\/package\.json$/.exec(path)
    return found === null
      ? []
      : [{ folder: found[1]!, room: found[2] as Package["room"], manifest: manifest(tree, path) }]
  })

/** Every TypeScript file of every package, declarations left out. */
export const modules = (tree: Tree): ReadonlyArray<Module> =>
  packages(tree).flatMap((pkg) =>
    tree.paths
      .filter((path) => path.startsWith(`${pkg.folder}/`) && /(?<!\.d)\.[cm]?tsx?$/.test(path))
      .map((path) => {
        const source = tree.source(path)
        const area = /^(src|test|examples)\//.exec(path.slice(pkg.folder.length + 1))?.[1] ?? "root"
        return { path, package: pkg, area: area as Module["area"], source }
      }),
  )
