/**
 * Checks the `api.md` of each package that has one against the declarations built by `tsc -b`: it must be up to date, every export must have a
 * docstring, and a change must come with a changeset. With `--write`, writes `api.md` instead.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Finding from "../tree/Finding.ts"
import * as Tree from "../tree/Tree.ts"
import { packages } from "../tree/Workspace.ts"
import * as ApiDocument from "./ApiDocument.ts"
import * as ReleaseNotes from "./ReleaseNotes.ts"

const here = Tree.read(Tree.root)

/** The declarations of a package. Git does not track them, so they are not part of the tree. */
const built = (folder: string): Tree.Tree => {
  const files = readdirSync(join(Tree.root, folder, "dist"), { recursive: true, encoding: "utf8" })
  const paths = [
    `${folder}/package.json`,
    ...files.filter((file) => file.endsWith(".d.ts")).map((file) => `${folder}/dist/${file}`),
  ]
  return Tree.of(Object.fromEntries(paths.map((path) => [path, readFileSync(join(Tree.root, path), "utf8")])))
}

/** The output of git; null if it fails, for example if a commit or a file does not exist. */
const git = (...args: ReadonlyArray<string>): string | null => {
  try {
    return execFileSync("git", args, {
      cwd: Tree.root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
  } catch {
    return null
  }
}

/** The last commit that set the version of a package, and the commit where this branch forked from main. */
const bases = (folder: string): ReadonlyArray<readonly [commit: string, since: string]> => {
  const release = git("log", "-1", "--format=%H", '-G"version":', "--", `${folder}/package.json`)
  const main = git("merge-base", "HEAD", "origin/main") ?? git("merge-base", "HEAD", "main")
  return [[release, "the last release"] as const, [main, "main"] as const].flatMap(([commit, since]) =>
    commit === null || commit.trim() === "" ? [] : [[commit.trim(), since] as const],
  )
}

const check = (folder: string): ReadonlyArray<Finding.Finding> => {
  const tree = built(folder)
  const path = `${folder}/api.md`
  const isCurrent = here.text(path) === ApiDocument.render(tree, folder)
  return [
    ...(isCurrent ? [] : [{ path, line: null, message: "differs from the declarations: run `pnpm api`" }]),
    ...ApiDocument.checkDocs(tree, folder),
    ...bases(folder).flatMap(([commit, since]) =>
      ReleaseNotes.check(here, folder, (file) => git("show", `${commit}:${file}`), since),
    ),
  ]
}

const folders = packages(here)
  .map(({ folder }) => folder)
  .filter((folder) => here.has(`${folder}/api.md`))

if (process.argv.includes("--write")) {
  for (const folder of folders)
    writeFileSync(join(Tree.root, folder, "api.md"), ApiDocument.render(built(folder), folder))
} else {
  const findings = Finding.lines(folders.flatMap(check))
  for (const line of findings) console.log(line)
  process.exitCode = findings.length > 0 ? 1 : 0
}
