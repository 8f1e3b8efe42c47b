/**
 * The shell blocks of the guides are run in bash, each in turn, in one folder with an account, a mirror and exports. Programs of a reader's own
 * machine that would reach others (mail, curl) are replaced by ones that keep what they are given. Lines that need another machine or never
 * end are left out; the commands in them are checked word by word elsewhere.
 */
import { execFile, spawnSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { program } from "../../harness/Cli.ts"

const execute = promisify(execFile)
const missing = ["jq", "ssh-keygen"].filter((name) => spawnSync("which", [name]).status !== 0)
const isSkipped = missing.length > 0 && process.env["CI"] !== "true"
if (isSkipped)
  console.warn(`SKIPPED: ${missing.join(" and ")} not found, so the shell blocks of the guides are not run.`)

const root = join(import.meta.dirname, "../../../../..")
const pages = [
  "apps/cli/docs/complete.md",
  "apps/cli/docs/lists.md",
  "apps/cli/docs/scripts.md",
  "apps/cli/docs/assistants.md",
  "apps/cli/docs/mirror.md",
  "packages/sync/docs/accounts.md",
]

/** Lines with one of these are left out: they need a server of PostgreSQL or PowerShell, or never end. */
const elsewhere = /postgres:\/\/|Invoke-Expression|--every|--nightly/

const blocks = (
  await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(join(root, page), "utf8")
      return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""], at) => ({
        place: `${page}, ${at + 1}`,
        lines: block.split(/(?<=[^\\|\n])\n(?! )/).filter((line) => line !== "" && !elsewhere.test(line)),
      }))
    }),
  )
)
  .flat()
  .filter(({ lines }) => lines.length > 0)

/** The files that a block leaves. */
const written = (script: string): ReadonlyArray<string> =>
  [...script.matchAll(/(?:(?<!-)>|--out|mv \S+) ?([~\w./-]+)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "-" && !script.includes(`mv ${name}`))

describe.skipIf(isSkipped)("the shell blocks of the guides", { timeout: 60_000 }, () => {
  const emulator = make()
  let server: Awaited<ReturnType<typeof listen>>
  let folder: string

  /** Runs a script as its reader would, and returns what was printed. */
  const bash = async (script: string): Promise<string> => {
    const running = execute("bash", ["-o", "pipefail", "-c", `exec 2>&1\n${script}`], {
      cwd: folder,
      env: {
        PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
        HOME: folder,
        DEEDKIT_BASE_URL: server.url,
        DEEDKIT_API_KEY_FILE: join(folder, "acme.key"),
      },
    })
    running.child.stdin?.end()
    const { stdout } = await running
    expect(stdout).not.toMatch(/command not found|Unknown|Usage/)
    return stdout
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-shell-"))
    server = await listen(emulator)
    for (const name of [
      "bin",
      ".local/share/bash-completion/completions",
      ".local/share/man/man1",
      ".zsh/completions",
      ".config/fish/completions",
      "node_exporter",
    ])
      await mkdir(join(folder, name), { recursive: true })
    const stub = async (name: string, script: string) => {
      await writeFile(join(folder, "bin", name), `#!/bin/sh\n${script}\n`)
      await chmod(join(folder, "bin", name), 0o755)
    }
    await stub("deedkit", `exec "${process.execPath}" "${program}" "$@"`)
    await stub("mail", `cat >> "${folder}/sent"`)
    await stub("man", "cat")
    await stub("curl", `case "$*" in *@-*) cat >/dev/null; esac; echo "$@" >> "${folder}/sent"`)
    await writeFile(join(folder, "acme.key"), emulator.apiKey, { mode: 0o600 })
    await writeFile(
      join(folder, "accounts.jsonl"),
      `${JSON.stringify({ name: "acme", baseUrl: server.url, keyFile: "acme.key", tags: ["crete"] })}\n`,
    )
    await bash(`ssh-keygen -q -t ed25519 -N '' -f office
      echo "office $(cat office.pub)" > signers
      deedkit export contracts --out contracts.csv --quiet
      deedkit sync --accounts accounts.jsonl --to mirror.sqlite --quiet`)
    emulator.store.update(emulator.store.contracts[0]!.id, { status: "ended" })
    await bash("deedkit sync --accounts accounts.jsonl --to mirror.sqlite --quiet")
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(blocks)("$place", async ({ lines }) => {
    const script = lines
      .map((line) => line.replace(/(?:^| +)# .*/, ""))
      .join("\n")
      .replaceAll("/var/lib", folder)
      .replaceAll("2026-10-31", new Date().toISOString())
    await rm(join(folder, "sent"), { force: true })
    const printed = await bash(script)
    const files = written(script)
    for (const file of files)
      expect(
        (await readFile(file.startsWith("/") ? file : join(folder, file.replace(/^~\//, "")))).length,
      ).toBeGreaterThan(0)
    if (/\b(?:mail|curl) /.test(script)) expect(await readFile(join(folder, "sent"), "utf8")).not.toBe("")
    else if (files.length === 0) expect(printed).not.toBe("")
  })
})
