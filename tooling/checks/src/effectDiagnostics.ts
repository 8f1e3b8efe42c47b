/**
 * Runs Effect's own language service on every package that uses Effect. It finds floating effects, missing services and errors without a type, which
 * neither the compiler nor the linter sees. Prints each finding once and fails if there is any.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Tree from "./Tree.ts"

const program = join(Tree.root, "node_modules/.bin/effect-tsgo")
const run = promisify(execFile)

/** The findings for one tsconfig, as lines that begin with the file. Any other line is a problem of the service itself. */
const diagnose = async (
  project: string,
): Promise<{ failed: boolean; findings: Array<string>; words: string }> => {
  const asked = ["diagnostics", "--project", project, "--strict", "--format", "text"]
  const { failed, output } = await run(program, asked, { cwd: Tree.root }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (cause: { stdout?: string; stderr?: string; message: string }) => ({
      failed: true,
      output: `${cause.stdout ?? ""}${cause.stderr ?? ""}` || cause.message,
    }),
  )
  const findings = output.split("\n").filter((line) => /\(\d+,\d+\): /.test(line))
  return { failed, findings: findings.map((line) => line.replace(`${Tree.root}/`, "")), words: output.trim() }
}

const projects = Tree.packages(Tree.read(Tree.root))
  .filter(({ manifest }) => "effect" in { ...manifest.dependencies, ...manifest.devDependencies })
  .flatMap(({ folder }) => [`${folder}/tsconfig.json`, `${folder}/test/tsconfig.json`])
  .filter((project) => existsSync(join(Tree.root, project)))

const findings = new Set<string>()
const queue = projects.values()
const lane = async (): Promise<void> => {
  for (const project of queue) {
    const answer = await diagnose(project)
    for (const finding of answer.findings) findings.add(finding)
    if (answer.failed && answer.findings.length === 0) findings.add(`${project}: ${answer.words}`)
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, lane))

for (const finding of findings) console.error(finding)
console.log(`Effect diagnostics: ${projects.length} projects, ${findings.size} findings`)
process.exitCode = findings.size === 0 ? 0 : 1
