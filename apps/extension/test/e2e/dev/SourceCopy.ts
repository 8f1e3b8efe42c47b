/** A copy of the sources that `pnpm dev` builds and watches, for a test that changes them. What is installed is linked. */
import { cp, mkdir, readdir, realpath, symlink } from "node:fs/promises"
import { join } from "node:path"
import { packages } from "../../../Sources.ts"

const root = join(import.meta.dirname, "..", "..", "..", "..", "..")
const extension = [
  "Sources.ts",
  "bundling",
  "package.json",
  "public",
  "src",
  "test/e2e",
  "tsconfig.json",
  "wxt.config.ts",
]

/** The files and folders of the copy, from the root of the workspace. */
const copied = [
  "tsconfig.base.json",
  ...extension.map((path) => `apps/extension/${path}`),
  ...packages.flatMap((name) =>
    ["package.json", "src", "tsconfig.json"].map((path) => `packages/${name}/${path}`),
  ),
]

/** Links what is installed for a package; packages that are copied are linked to their copies. */
const linkInstalled = async (folder: string, target: string): Promise<void> => {
  const link = async (name: string): Promise<void> => {
    const own = packages.find((one) => name === `@deedkit/${one}`)
    const installed = join(root, folder, "node_modules", name)
    await symlink(
      own === undefined ? await realpath(installed) : join(target, "packages", own),
      join(target, folder, "node_modules", name),
    )
  }
  await mkdir(join(target, folder, "node_modules", "@deedkit"), { recursive: true })
  for (const name of await readdir(join(root, folder, "node_modules"))) {
    if (name !== "@deedkit" && !name.startsWith(".")) await link(name)
  }
  for (const name of await readdir(join(root, folder, "node_modules", "@deedkit")).catch(() => [])) {
    await link(`@deedkit/${name}`)
  }
}

/** Copies the sources into an empty folder. */
export const make = async (target: string): Promise<void> => {
  for (const path of copied) await cp(join(root, path), join(target, path), { recursive: true })
  for (const folder of ["apps/extension", ...packages.map((name) => `packages/${name}`)]) {
    await linkInstalled(folder, target)
  }
}
