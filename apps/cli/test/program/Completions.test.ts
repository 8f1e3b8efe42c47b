import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"

const execute = promisify(execFile)

const isThere = async (shell: string): Promise<boolean> =>
  execute(shell, ["-c", "exit 0"]).then(
    () => true,
    () => false,
  )

/** What each shell is asked: to load the script, and what it then offers for two lines. */
const questions = {
  bash: `source "$1"
complete -p deedkit
ask() { COMPREPLY=(); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}; _deedkit deedkit "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"; echo "\${COMPREPLY[*]}"; }
ask deedkit contracts list --wh
ask deedkit exp`,
  zsh: `autoload -Uz compinit && compinit -u -D && source "$1" && print $_comps[deedkit]
print \${(k)functions[(I)_deedkit_contracts_list]}
print \${functions[_deedkit_contracts_list]} | grep -o -- '--where' | head -n 1`,
  fish: `source $argv[1]
complete -C "deedkit contracts list --wh" | string split -f 1 \\t
complete -C "deedkit exp" | string split -f 1 \\t`,
} as const

const answers = {
  bash: "complete -F _deedkit deedkit\n--where\nexport\n",
  zsh: "_deedkit\n_deedkit_contracts_list\n--where\n",
  fish: "--where\nexport\n",
} as const

describe("completions", () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    it.concurrent(`load in ${shell}, and know commands and flags`, async ({ skip }) => {
      skip(!(await isThere(shell)), `${shell} is not on this machine: its completions are not tested`)
      await using it = await bench({ contracts: 1 })
      const { code, stderr, stdout } = await it.run(["--completions", shell])
      expect([code, stderr]).toEqual([0, ""])
      const file = join(it.folder, `deedkit.${shell}`)
      await writeFile(file, stdout)
      const args =
        shell === "fish"
          ? ["--no-config", "-c", questions.fish, file]
          : shell === "zsh"
            ? ["-f", "-c", questions.zsh, shell, file]
            : ["--norc", "-c", questions.bash, shell, file]
      expect((await execute(shell, args, { cwd: it.folder })).stdout).toBe(answers[shell])
    })
  }

  it.concurrent("are there for PowerShell too, and never offer what is hidden", async () => {
    await using it = await bench({ contracts: 1 })
    const { code, stdout } = await it.run(["--completions", "powershell"])
    expect(code).toBe(0)
    expect(stdout).toContain("Register-ArgumentCompleter")
    expect(stdout).toContain("--where")
    expect(stdout).not.toContain("json-fields")
  })

  it.concurrent("of a shell that is not known are refused", async () => {
    await using it = await bench({ contracts: 1 })
    const { code, stderr, stdout } = await it.call(["--completions", "tcsh"])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain("bash")
  })
})
