import { describe, expect, it } from "vitest"
import { account } from "../harness/Account.ts"
import type { Account } from "../harness/Account.ts"

const withProfiles = async (): Promise<Account> => {
  const it = await account()
  for (const name of ["default", "office"]) {
    const login = [
      "auth",
      "login",
      "--profile",
      name,
      "--base-url",
      it.url,
      "--with-key",
      "--insecure-storage",
    ]
    expect((await it.pipe(login, it.emulator.apiKey)).code).toBe(0)
  }
  return it
}

describe("deedkit mcp install", () => {
  it.each([
    ["claude-desktop", "mcpServers"],
    ["cursor", "mcpServers"],
    ["vscode", "servers"],
  ])("prints JSON for %s, with absolute paths and a named profile", async (client, member) => {
    await using it = await withProfiles()
    const { code, stderr, stdout } = await it.call(["mcp", "install", client, "--profile", "office"])
    expect([code, stderr]).toEqual([0, expect.stringContaining("Merge it into ")])
    const { args, command } = (JSON.parse(stdout) as Record<string, Record<string, Config>>)[member]![
      "deedkit-office"
    ]!
    expect(command).toBe(process.execPath)
    expect(args.slice(-3)).toEqual(["mcp", "--profile", "office"])
    const current = await it.call(["mcp", "install", client, "--profile", "default"])
    expect(current.stdout).toContain('"deedkit": {')
  })

  it("prints a command for Claude Code and TOML for Codex", async () => {
    await using it = await withProfiles()
    const shell = await it.call(["mcp", "install", "claude-code", "--profile", "office"])
    expect(shell.stdout).toMatch(/^claude mcp add deedkit-office -- .*\/.* mcp --profile office\n$/)
    const toml = await it.call(["mcp", "install", "codex", "--profile", "office"])
    expect(toml.stdout).toMatch(
      /^\[mcp_servers\."deedkit-office"\]\ncommand = "\/.*"\nargs = \[.*"office"\]\n$/,
    )
  })

  it("needs a profile that exists, and a client that is known", async () => {
    await using it = await account()
    const none = await it.call(["mcp", "install", "cursor"])
    expect([none.code, none.stdout, none.stderr]).toEqual([2, "", expect.stringContaining("auth login")])
    const unknown = await it.call(["mcp", "install", "cursor", "--profile", "nope"])
    expect([unknown.code, unknown.stdout]).toEqual([2, ""])
    const client = await it.call(["mcp", "install", "emacs"])
    expect([client.code, client.stderr]).toEqual([2, expect.stringContaining("claude-desktop")])
  })
})

interface Config {
  readonly command: string
  readonly args: ReadonlyArray<string>
}
