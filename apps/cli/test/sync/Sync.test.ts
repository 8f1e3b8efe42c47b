import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import type { Bench } from "../harness/Cli.ts"
import { bench, lastJson } from "../harness/Cli.ts"
import { until } from "../harness/Until.ts"

interface Office extends Bench {
  readonly emulators: ReadonlyArray<Emulator>
  readonly urls: ReadonlyArray<string>
  readonly mirror: string
  readonly accounts: string
  readonly rows: (sql: string) => ReadonlyArray<object>
}

/** An accounts file with three accounts: one by a file, one by a variable, one by a profile. */
const office = async (options: EmulatorOptions = {}): Promise<Office> => {
  const it = await bench(options)
  const others = [make({ contracts: 30, seed: 2 }), make({ contracts: 40, seed: 3 })] as const
  const servers = await Promise.all(others.map((each) => listen(each)))
  const [one, two] = servers.map(({ url }) => url)
  const config = join(it.folder, ".config", "deedkit")
  await mkdir(config, { recursive: true })
  await mkdir(join(it.folder, "keys"))
  const profile = (baseUrl: string, path: string) => ({
    baseUrl,
    key: { in: "file", path },
    cursor: null,
    learnt: null,
  })
  const keys = await Promise.all(
    [it.emulator, ...others].map(async ({ apiKey }, at) => {
      // The key files of an office are not in the folder that is searched for keys.
      const path = join(it.folder, "..", `${it.folder.split("/").at(-1)}-${at}.key`)
      await writeFile(path, `${apiKey}\n`, { mode: 0o600 })
      return path
    }),
  )
  const profiles = { acme: profile(it.url, keys[0]!), beta: profile(one!, keys[1]!) }
  await writeFile(join(config, "config.json"), JSON.stringify({ version: 1, current: "acme", profiles }), {
    mode: 0o600,
  })
  const accounts = join(it.folder, "accounts.jsonl")
  const lines = [
    { name: "acme", profile: "acme" },
    { name: "by-variable", baseUrl: one, keyEnv: "KEY_OF_TWO" },
    { name: "by-file", baseUrl: two, keyFile: `../${keys[2]!.split("/").at(-1)}` },
  ]
  await writeFile(accounts, `${lines.map((line) => JSON.stringify(line)).join("\n\n")}\n`)
  const mirror = join(it.folder, "mirror.sqlite")
  const env = { DEEDKIT_BASE_URL: undefined, DEEDKIT_API_KEY: undefined } as unknown as Record<string, string>
  const own = { ...env, KEY_OF_TWO: others[0].apiKey, XDG_CONFIG_HOME: join(it.folder, ".config") }
  return {
    ...it,
    emulators: [it.emulator, ...others],
    urls: [it.url, one!, two!],
    mirror,
    accounts,
    run: (args, more = {}) => it.run(args, { ...more, env: { ...own, ...more.env } }),
    call: (args, more = {}) => it.call(args, { ...more, env: { ...own, ...more.env } }),
    rows: (sql) => {
      const db = new DatabaseSync(mirror, { readOnly: true })
      const found = db.prepare(sql).all()
      db.close()
      return found.map((row) => Object.assign({}, row))
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server.close()))
      const { rm } = await import("node:fs/promises")
      await Promise.all(keys.map((path) => rm(path, { force: true })))
      await it[Symbol.asyncDispose]()
    },
  }
}

const bodies = (it: Office, account: string): ReadonlyArray<unknown> =>
  it
    .rows(`select body from contract where account = '${account}' order by id desc`)
    .map((row) => JSON.parse((row as { body: string }).body) as unknown)

describe("deedkit sync", () => {
  it("mirrors the accounts of a file, each with its own key, and reports each list", async () => {
    await using it = await office({ contracts: 120 })
    const ended = await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror])
    expect([ended.code, ended.stdout]).toEqual([0, ""])
    expect(ended.stderr).toContain("acme: 120 contracts, 120 added, complete (proven).\n")
    expect(ended.stderr).toContain("by-file: 12 API keys, 12 added, complete (proven).\n")
    expect(ended.stderr).toContain(`3 accounts are complete in ${it.mirror}.\n`)
    for (const [at, name] of ["acme", "by-variable", "by-file"].entries()) {
      expect(bodies(it, name)).toEqual(it.emulators[at]!.store.contracts)
    }
    const file = await readFile(it.mirror, "latin1")
    for (const { apiKey } of it.emulators) expect(file).not.toContain(apiKey)
  })

  it("takes several profiles, all of them, or the current one under its name", async () => {
    await using it = await office({ contracts: 3 })
    const to = ["--to", it.mirror, "--only", "contracts", "--json"]
    const names = async (...args: ReadonlyArray<string>) => {
      const { code, stdout } = await it.call(["sync", ...args, ...to])
      expect(code).toBe(0)
      return (JSON.parse(stdout) as { accounts: ReadonlyArray<{ account: string }> }).accounts.map(
        ({ account }) => account,
      )
    }
    expect(await names("--profile", "acme", "--profile=beta")).toEqual(["acme", "beta"])
    expect(await names("--all")).toEqual(["acme", "beta"])
    expect(await names("--profile", "beta")).toEqual(["beta"])
    expect(await names()).toEqual(["acme"])
    expect(it.rows("select account from account order by account")).toEqual([
      { account: "acme" },
      { account: "beta" },
    ])
  })

  it("names an account without a profile after its host", async () => {
    await using it = await bench({ contracts: 2 })
    const mirror = join(it.folder, "mirror.sqlite")
    expect((await it.call(["sync", "--to", mirror])).code).toBe(0)
    const { stdout } = await it.call(["sync", "status", mirror])
    expect(stdout).toContain(`${new URL(it.url).host.replace(":", "-")}  `)
  })

  it("syncs all others when an account fails, and says what to do", async () => {
    await using it = await office({ contracts: 5 })
    const ended = await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror], {
      env: { KEY_OF_TWO: "dk_wrong_key" },
    })
    expect(ended.code).toBe(4)
    expect(ended.stderr).toMatch(
      /^by-variable: Could not read .* the service did not accept the API key \(401\).*$/m,
    )
    expect(ended.stderr).toContain("1 of 3 accounts needs attention.")
    expect(bodies(it, "by-file")).toHaveLength(40)
    const status = await it.call(["sync", "status", it.mirror])
    expect(status.code).toBe(9)
    expect(status.stdout).toMatch(/^by-variable +0 +0 +failed +never\n {2}Failed at \S+: .*401/m)
    it.emulators[2]!.faults.set(["server-error:requests=1-99"])
    const more = await it.call(
      ["sync", "--accounts", it.accounts, "--to", it.mirror, "--attempts", "1", "--json"],
      {
        env: { KEY_OF_TWO: "dk_wrong_key" },
      },
    )
    expect(more.code).toBe(9)
    expect(lastJson(more.stderr)).toMatchObject({ error: "NotSynced", accounts: 3, exitCode: 9 })
  })

  it("notes in the mirror that an account could not be opened, until a sync of it succeeds", async () => {
    await using it = await office({ contracts: 5 })
    const args = ["sync", "--accounts", it.accounts, "--to", it.mirror]
    expect((await it.call(args)).code).toBe(0)
    const env = { KEY_OF_TWO: undefined as unknown as string }
    expect((await it.call(args, { env })).code).toBe(2)
    const failed = await it.call(["sync", "status", it.mirror])
    expect(failed.code).toBe(9)
    expect(failed.stdout).toMatch(
      /^by-variable .*failed .*\n {2}Failed at \S+: The variable KEY_OF_TWO is not set\./m,
    )
    expect((await it.call(args)).code).toBe(0)
    expect((await it.call(["sync", "status", it.mirror])).code).toBe(0)
  })

  it("says of a folder that it is none that could be a mirror", async () => {
    await using it = await office({ contracts: 1 })
    const { code, stderr } = await it.call(["sync", "--accounts", it.accounts, "--to", it.folder])
    expect([code, stderr]).toEqual([
      10,
      `The mirror ${it.folder} cannot be opened (EISDIR). It is a folder, a pipe or a device: choose a file.\n`,
    ])
  })

  it("fails as the account does when there is one", async () => {
    await using it = await bench({ contracts: 5, faults: ["scope-missing"] })
    const mirror = join(it.folder, "mirror.sqlite")
    const { code, stderr } = await it.call(["sync", "--to", mirror])
    expect(code).toBe(5)
    expect(stderr).toContain("lacks the scope read:contracts")
  })

  it("ends with 9 when records are not as specified, and keeps all others", async () => {
    await using it = await bench({ contracts: 30, faults: ["missing-field:records=1"] })
    const mirror = join(it.folder, "mirror.sqlite")
    const { code, stderr } = await it.call(["sync", "--to", mirror, "--only", "contracts"])
    expect([code, stderr]).toEqual([9, expect.stringContaining("not as specified and not stored")])
    expect((await it.call(["sync", "status", mirror])).code).toBe(9)
  })

  it("holds removals that are too many, shows them everywhere, and removes them once accepted", async () => {
    await using it = await bench({ contracts: 60 })
    const mirror = join(it.folder, "mirror.sqlite")
    const sync = ["sync", "--to", mirror, "--only", "contracts"]
    expect((await it.call(sync)).code).toBe(0)
    const [{ account } = { account: "" }] = JSON.parse(
      (await it.call(["sync", "status", mirror, "--json"])).stdout,
    ).accounts as ReadonlyArray<{ account: string }>
    for (const { id } of it.emulator.store.contracts.slice(20, 50)) it.emulator.store.remove(id)
    const why = "The list has 30 contracts, and 30 that the mirror has are gone"
    const held = await it.call(sync)
    expect(held.code).toBe(9)
    expect(held.stderr).toContain("30 contracts, no changes, 30 removals held, not complete.")
    expect(held.stderr).toContain(why)
    expect(held.stderr).toContain(`deedkit sync accept MIRROR ${account}`)
    const status = await it.call(["sync", "status", mirror])
    expect([status.code, status.stdout]).toEqual([9, expect.stringMatching(/ 60 .* held /)])
    expect(status.stdout).toContain(why)
    for (const format of ["text", "html", "json"]) {
      const digest = await it.call(["sync", "changes", mirror, "--since", "1d", "--format", format])
      expect(digest.stdout).toMatch(/30 removals held|"held": 30/)
    }
    const exported = await it.call(["export", "contracts", "--from", mirror, "--out", "-"])
    expect(exported.code).toBe(9)
    const accepted = await it.call(["sync", "accept", mirror, account])
    expect([accepted.code, accepted.stderr]).toEqual([
      0,
      `${account}: the removal of 30 contracts is accepted. The next sync does it.\n`,
    ])
    expect((await it.call(["sync", "status", mirror])).stdout).toContain(
      "is accepted. The next sync does it.",
    )
    const done = await it.call(sync)
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringContaining("30 contracts, 30 removed, complete"),
    ])
    expect((await it.call(["sync", "accept", mirror, account])).stderr).toBe(`${account}: nothing is held.\n`)
    expect((await it.call(["sync", "accept", mirror, "nobody"])).code).not.toBe(0)
  })

  it("copies a mirror in a file only, and says how to replace a copy", async () => {
    await using it = await bench({ contracts: 3 })
    const mirror = join(it.folder, "mirror.sqlite")
    const copy = join(it.folder, "copy.sqlite")
    expect((await it.call(["sync", "--to", mirror])).code).toBe(0)
    const server = await it.call(["sync", "backup", "postgres://user@host/database", copy])
    expect([server.code, server.stderr]).toEqual([2, expect.stringContaining("pg_dump --schema=deedkit")])
    expect((await it.call(["sync", "backup", mirror, copy])).code).toBe(0)
    const again = await it.call(["sync", "backup", mirror, copy])
    expect([again.code, again.stderr]).toEqual([10, expect.stringContaining("add --overwrite")])
    const json = await it.call(["sync", "backup", mirror, copy, "--overwrite", "--json"])
    expect(JSON.parse(json.stdout)).toMatchObject({ mirror, file: copy, accounts: 1 })
    expect((await it.call(["sync", "status", copy])).code).toBe(0)
  })

  it("syncs only the accounts that are not complete, on request", async () => {
    await using it = await office({ contracts: 5 })
    const args = ["sync", "--accounts", it.accounts, "--to", it.mirror, "--json"]
    const synced = (stdout: string) =>
      (JSON.parse(stdout) as { accounts: ReadonlyArray<{ account: string }> }).accounts.map(
        ({ account }) => account,
      )
    const all = await it.call([...args, "--failed"], { env: { KEY_OF_TWO: "dk_wrong_key" } })
    expect(synced(all.stdout)).toEqual(["acme", "by-variable", "by-file"])
    const failed = await it.call([...args, "--failed"])
    expect([failed.code, synced(failed.stdout)]).toEqual([0, ["by-variable"]])
    const none = await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror, "--failed"])
    expect([none.code, none.stderr]).toEqual([0, `All accounts are complete in ${it.mirror}.\n`])
  })

  it("stores the tags of all accounts of the file, also where it syncs only some of them, or none", async () => {
    await using it = await office({ contracts: 5 })
    const tagAll = async (tag: string) => {
      const lines = (await readFile(it.accounts, "utf8")).split("\n").filter((line) => line !== "")
      const tagged = lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), tags: [tag] }))
      await writeFile(it.accounts, tagged.join("\n"))
    }
    const tags = () => it.rows("select account, tag from account_tag order by account")
    const all = (tag: string) => ["acme", "by-file", "by-variable"].map((account) => ({ account, tag }))
    const args = ["sync", "--accounts", it.accounts, "--to", it.mirror, "--failed"]
    await tagAll("old")
    const first = await it.call(args, { env: { KEY_OF_TWO: "dk_wrong_key" } })
    expect([first.code, tags()]).toEqual([expect.any(Number), all("old")])
    await tagAll("sea")
    const some = await it.call(args)
    expect([some.code, tags()]).toEqual([0, all("sea")])
    await tagAll("crete")
    const none = await it.call(args)
    expect([none.code, none.stderr]).toEqual([0, `All accounts are complete in ${it.mirror}.\n`])
    expect(tags()).toEqual(all("crete"))
  })

  it("keeps running and syncs accounts again, of those that fail only what the service failed", async () => {
    await using it = await office({ contracts: 5 })
    it.emulators[2]!.faults.set(["server-error:requests=1-99"])
    const args = ["sync", "--accounts", it.accounts, "--to", it.mirror, "--every", "24h", "--attempts", "1"]
    const ended = await it.run(args, {
      env: { KEY_OF_TWO: "dk_wrong_key" },
      onStart: until("synced again in 5 minutes."),
    })
    expect(ended.code).toBe(143)
    expect(ended.stderr).toContain("acme: 5 contracts, 5 added, complete (proven).")
    expect(ended.stderr).toMatch(/by-variable: .*\(401\)/)
    expect(ended.stderr).toMatch(/by-file: .*the service failed \(500\)/)
    expect(ended.stderr).toContain(`1 of 3 accounts are complete in ${it.mirror}.`)
    expect(ended.stderr).toContain("1 account is synced again in 5 minutes.")
    const quiet = await it.run([...args, "--quiet"], {
      env: { KEY_OF_TWO: "dk_wrong_key" },
      onStart: until("the service failed (500)"),
    })
    expect(quiet.stderr).toMatch(/by-variable: .*\(401\)/)
    expect(quiet.stderr).not.toContain("complete")
  })

  it("leaves an account whose service fails after two attempts where it is tried again later", async () => {
    await using it = await office({ contracts: 5 })
    const { faults, journal } = it.emulators[2]!
    faults.set(["server-error:requests=1-99"])
    const args = ["sync", "--accounts", it.accounts, "--to", it.mirror]
    await it.run([...args, "--every", "24h"], { onStart: until("synced again in 5 minutes.") })
    const lists = journal.entries.filter(({ path }) => path.startsWith("/v1/contracts/"))
    expect(lists).toHaveLength(2)
  })

  it.each([
    ["--every 10s", "at least 1m"],
    ["--every 24h --failed", "--every and --failed cannot be combined"],
    ["--every 24h --queue", "--queue and --every cannot be combined"],
    ["--failed --queue", "Workers and their queue need a mirror in PostgreSQL"],
  ])("refuses %s", async (flags, message) => {
    await using it = await bench()
    const { code, stderr } = await it.call(["sync", "--to", join(it.folder, "m.sqlite"), ...flags.split(" ")])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("refuses the key of another account, and takes it when that is confirmed", async () => {
    await using it = await office({ contracts: 5, assumptions: { meScope: "read:me", meShape: "bare" } })
    const sync = ["sync", "--only", "contracts", "--to", it.mirror, "--accounts", it.accounts]
    expect((await it.call(sync)).code).toBe(0)
    const { secret } = it.emulators[1]!.store.insertKey({ scopes: ["read:contracts"] })
    const other = await it.call(sync, { env: { KEY_OF_TWO: secret } })
    expect(other.code).toBe(2)
    expect(other.stderr).toContain("confirm it with --same-account by-variable")
    const confirmed = await it.call([...sync, "--same-account", "by-variable"], {
      env: { KEY_OF_TWO: secret },
    })
    expect(confirmed.code).toBe(0)
    expect((await it.call([...sync, "--same-account", "nobody"])).stderr).toContain(
      "--same-account names nobody",
    )
  })

  it.each([
    [[], "Missing --to FILE."],
    [["--to", ""], "Missing --to FILE."],
    [["--to", "-"], "--to - is not a file."],
    [["--to", "m", "--all", "--accounts", "x"], "--all and --accounts cannot be combined."],
    [
      ["--to", "m", "--all", "--profile", "acme", "--profile", "beta"],
      "--profile and --all cannot be combined.",
    ],
    [["--to", "m", "--profile", "acme", "--profile", "acme"], "The account acme is named twice."],
    [["--to", "m", "--accounts", "none.jsonl"], "The accounts file none.jsonl could not be read (ENOENT)."],
  ])("refuses %j before anything is sent", async (args, problem) => {
    await using it = await office({ contracts: 1 })
    const { code, stderr } = await it.call(["sync", ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it.each([
    ["no JSON", "is not JSON"],
    ["[]", "is not an object"],
    ['{"name":"a b","profile":"acme"}', "has no valid name"],
    ['{"profile":"acme"}', "has no valid name"],
    ['{"name":"a"}', "must have one of keyFile, keyEnv and profile"],
    ['{"name":"a","keyEnv":"K","profile":"acme"}', "must have one of keyFile, keyEnv and profile"],
    ['{"name":"a","keyEnv":"K"}', "has no baseUrl"],
    ['{"name":"a","profile":"acme","baseUrl":"https://x.test"}', "has a profile and a baseUrl"],
    ['{"name":"a","key":"secret"}', 'has an unknown member "key"'],
    ['{"name":1,"profile":"acme"}', "has a member name that is not a text"],
    ['{"name":"a","baseUrl":"","keyEnv":"K"}', "has an empty baseUrl"],
    ['{"name":"a","baseUrl":"https://x.test","keyFile":" "}', "has an empty keyFile"],
  ])("refuses an accounts file with the line %s", async (line, problem) => {
    await using it = await office({ contracts: 1 })
    await writeFile(it.accounts, `{"name":"acme","profile":"acme"}\n${line}\n`)
    const { code, stderr } = await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Line 2 of ${it.accounts} ${problem}`)])
    expect(stderr).not.toContain("secret")
  })

  it.each([
    [["acme", "beta", "gamma", "beta"], "beta"],
    // Of several, the one that comes again first; names differ by case.
    [["acme", "Acme", "beta", "beta", "acme"], "beta"],
  ])("refuses an accounts file with the names %j", async (names, twice) => {
    await using it = await office({ contracts: 1 })
    await writeFile(it.accounts, names.map((name) => `{"name":"${name}","profile":"acme"}\n`).join(""))
    const { code, stderr } = await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`The account ${twice} is named twice.`)])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("is interrupted by Ctrl-C with 130, and the same command resumes", async () => {
    await using it = await office({ contracts: 900 })
    const command = ["sync", "--to", it.mirror, "--profile", "acme", "--only", "contracts"]
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      let seen = 0
      const ended = await it.run(command, {
        onStart: (child) => {
          it.emulator.journal.watch(() => {
            seen += 1
            if (seen === 4) child.kill(signal)
          })
        },
      })
      expect(ended.code).toBe(signal === "SIGINT" ? 130 : null)
      if (signal === "SIGINT") expect(ended.stderr).toContain("Interrupted.")
    }
    const status = await it.call(["sync", "status", it.mirror])
    expect([status.code, status.stdout]).toEqual([9, expect.stringContaining("interrupted")])
    const ended = await it.run(command)
    expect([ended.code, ended.stderr]).toEqual([
      0,
      expect.stringMatching(/acme: 900 contracts, .*resumed after \d+ pages?, complete \(proven\)/),
    ])
    expect(bodies(it, "acme")).toEqual(it.emulator.store.contracts)
  })
})

describe("deedkit sync status", () => {
  it("has a line for each account, and fails when one was complete too long ago", async () => {
    await using it = await office({ contracts: 1_200 })
    await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror])
    const fine = await it.call(["sync", "status", it.mirror, "--max-age", "1h"])
    expect([fine.code, fine.stderr]).toEqual([0, ""])
    expect(fine.stdout).toMatch(
      /^Account +Contracts +API keys +State +Complete\nacme +1,200 +12 +proven +\S+ s ago\n/,
    )
    const db = new DatabaseSync(it.mirror)
    db.exec(
      "update sync_run set ended_at = '2020-01-01T00:00:00.000Z' where account = 'by-file' and collection = 'contracts'",
    )
    db.close()
    const old = await it.call(["sync", "status", it.mirror, "--max-age", "36h"])
    expect([old.code, old.stderr]).toEqual([9, "1 of 3 accounts needs attention.\n"])
    const quiet = await it.call(["sync", "status", it.mirror, "--max-age", "36h", "--quiet"])
    expect([quiet.code, quiet.stdout]).toEqual([9, ""])
    expect(quiet.stderr).toBe(
      "by-file: The contracts were last complete at 2020-01-01T00:00:00.000Z.\n1 of 3 accounts needs attention.\n",
    )
    expect((await it.call(["sync", "status", it.mirror, "--max-age", "999999999w"])).code).toBe(0)
    expect(old.stdout).toMatch(
      /^by-file +.* stale +\d+ days ago\n {2}The contracts were last complete at 2020-01-01T00:00:00\.000Z\.$/m,
    )
    // A clock that was years ahead has noted a moment that would be recent for years.
    const ahead = new DatabaseSync(it.mirror)
    const endedAt = (moment: string) =>
      ahead.exec(`update sync_run set ended_at = '${moment}' where account = 'by-file'`)
    const dayAhead = new Date(Date.now() + 86_400_000).toISOString()
    endedAt(dayAhead)
    const aDay = await it.call(["sync", "status", it.mirror, "--max-age", "36h"])
    expect([aDay.code, aDay.stdout]).toEqual([
      9,
      expect.stringContaining(`at ${dayAhead}, which is in the future`),
    ])
    endedAt("2099-01-01T00:00:00.000Z")
    ahead.close()
    const future = await it.call(["sync", "status", it.mirror, "--max-age", "36h"])
    expect(future.code).toBe(9)
    expect(future.stdout).toContain(
      "The contracts were last complete at 2099-01-01T00:00:00.000Z, which is in the future: the clock was set back. Sync again.",
    )
    const json = await it.call(["sync", "status", it.mirror, "--json"])
    expect(json.code).toBe(0)
    expect(JSON.parse(json.stdout)).toMatchObject({
      accounts: [{ account: "acme", complete: true, state: "proven" }, {}, {}],
    })
  })

  it("takes a mirror without accounts for nothing that is complete", async () => {
    await using it = await office({ contracts: 1 })
    it.emulator.faults.set(["drop:requests=1-99"])
    await it.call(["sync", "--to", it.mirror, "--profile", "acme", "--attempts", "1"])
    const db = new DatabaseSync(it.mirror)
    for (const table of ["sync_run", "sync_list", "account"]) db.exec(`delete from ${table}`)
    db.close()
    expect(await it.call(["sync", "status", it.mirror])).toEqual({
      code: 9,
      stdout: "",
      stderr: "The mirror has no accounts.\n",
    })
  })

  it.each(["status", "changes"])("%s of what is no mirror says so, and changes nothing", async (command) => {
    await using it = await office({ contracts: 1 })
    const since = command === "changes" ? ["--since", "1d"] : []
    const none = await it.call(["sync", command, it.mirror, ...since])
    expect([none.code, none.stderr]).toEqual([
      10,
      expect.stringContaining(`There is no mirror at ${it.mirror}.`),
    ])
    const other = await it.call(["sync", command, it.accounts, ...since, "--json"])
    expect([other.code, lastJson(other.stderr)]).toEqual([
      10,
      expect.objectContaining({ error: "MirrorFailed", kind: "NotAMirror" }),
    ])
  })
})

describe("deedkit sync verify", () => {
  it("compares a sample with the service, and fails where a record differs without an update", async () => {
    await using it = await office({ contracts: 8 })
    await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror])
    const verify = ["sync", "verify", it.mirror, "--accounts", it.accounts, "--sample", "100"]
    const fine = await it.call(verify)
    expect([fine.code, fine.stdout, fine.stderr]).toEqual([
      0,
      "acme: 20 compared, 20 same.\nby-variable: 42 compared, 42 same.\nby-file: 52 compared, 52 same.\n",
      "",
    ])
    const { store } = it.emulator
    const [first, second] = store.contracts
    store.update(first!.id, { status: "silent", updated_at: first!.updated_at })
    store.remove(second!.id)
    const bad = await it.call([...verify.slice(0, 3), "--profile", "acme", "--sample", "100"])
    expect([bad.code, bad.stdout]).toEqual([
      9,
      "acme: 20 compared, 18 same, 1 removed since the sync, 1 different.\n",
    ])
    expect(bad.stderr).toContain(
      `acme: 1 record differs from the service without an update: contract ${first!.id} (status).`,
    )
  })

  it("fails where the mirror has no records of an account: nothing was compared", async () => {
    await using it = await office({ contracts: 0 })
    const accounts = ["--accounts", it.accounts]
    expect((await it.call(["sync", ...accounts, "--to", it.mirror, "--only", "contracts"])).code).toBe(0)
    const { code, stderr, stdout } = await it.call(["sync", "verify", it.mirror, ...accounts])
    expect([code, stdout]).toEqual([
      9,
      "acme: nothing compared.\nby-variable: 20 compared, 20 same.\nby-file: 20 compared, 20 same.\n",
    ])
    expect(stderr).toBe(
      "acme: The mirror has no records of it. `deedkit sync status` says whether its lists were read.\n1 of 3 accounts needs attention.\n",
    )
  })

  it("fails where the answers are not as specified: what was not compared is not called right", async () => {
    await using it = await office({ contracts: 8 })
    await it.call(["sync", "--accounts", it.accounts, "--to", it.mirror])
    it.emulator.faults.set(["wrong-record:path=/v1/contracts/"])
    const { code, stderr, stdout } = await it.call(["sync", "verify", it.mirror, "--profile", "acme"])
    expect([code, stdout]).toEqual([9, "acme: 20 compared, 12 same, 8 not as specified.\n"])
    expect(stderr).toContain(
      "acme: 8 records could not be compared, because the service's answer is not as specified. `deedkit doctor` shows what it answers.",
    )
  })
})

describe("a key that may read contracts only", () => {
  it("is complete with the lists of its line, also after a list was begun that it may not read", async () => {
    await using it = await bench({ contracts: 5 })
    const { secret } = it.emulator.store.insertKey({ scopes: ["read:contracts"] })
    const [accounts, mirror] = [join(it.folder, "accounts.jsonl"), join(it.folder, "mirror.sqlite")]
    const sync = async (line: object) => {
      const whole = { name: "acme", baseUrl: it.url, keyEnv: "CONTRACTS_KEY", ...line }
      await writeFile(accounts, JSON.stringify(whole))
      return it.call(["sync", "--accounts", accounts, "--to", mirror], { env: { CONTRACTS_KEY: secret } })
    }
    expect((await sync({})).code).toBe(5)
    const narrow = await sync({ lists: ["contracts"] })
    expect([narrow.code, narrow.stderr]).toEqual([
      0,
      expect.stringContaining("acme: 5 contracts, no changes"),
    ])
    const status = await it.call(["sync", "status", mirror])
    expect([status.code, status.stdout]).toEqual([9, expect.stringContaining("interrupted")])
    const forgotten = await it.call(["sync", "forget", mirror, "acme", "--only", "keys"])
    expect([forgotten.code, forgotten.stderr]).toEqual([0, "The API keys of 1 account removed.\n"])
    expect((await it.call(["sync", "status", mirror, "--check"])).code).toBe(0)
    expect((await sync({ lists: ["contracts"] })).code).toBe(0)
    expect((await it.call(["sync", "status", mirror])).code).toBe(0)
    for (const lists of ["contracts", [], ["houses"], [1]]) {
      const { code, stderr } = await sync({ lists })
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("has a member lists that is not a list of contracts and keys"),
      ])
    }
  })
})

describe("deedkit sync rename", () => {
  it("keeps the history of an account under its new name", async () => {
    await using it = await office({ contracts: 8 })
    await it.call(["sync", "--profile", "acme", "--profile", "beta", "--to", it.mirror])
    const { code, stderr } = await it.call(["sync", "rename", it.mirror, "acme", "athens"])
    expect([code, stderr]).toEqual([
      0,
      "acme is athens now. Name it so in the accounts file too, before the next sync.\n",
    ])
    expect(
      it.rows("select account, count(*) > 0 as versions from contract_history group by account"),
    ).toEqual(["athens", "beta"].map((account) => ({ account, versions: 1 })))
    const odd = await it.call(["sync", "rename", it.mirror, "athens", "two words"])
    expect([odd.code, odd.stderr]).toEqual([
      2,
      expect.stringContaining('"two words" is no name for an account'),
    ])
    const taken = await it.call(["sync", "rename", it.mirror, "athens", "beta"])
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining("The mirror has an account beta already."),
    ])
  })
})

describe("deedkit sync prune and forget", () => {
  it("remove old versions, and accounts by name", async () => {
    await using it = await office({ contracts: 8 })
    const sync = ["sync", "--profile", "acme", "--profile", "beta", "--to", it.mirror]
    await it.call(sync)
    it.emulator.store.update(it.emulator.store.contracts[0]!.id, { status: "on_hold" })
    await it.call(sync)
    const none = await it.call(["sync", "prune", it.mirror, "--before", "1d"])
    expect([none.code, none.stderr]).toEqual([
      0,
      expect.stringMatching(/^0 versions from before \S+ removed\.\n$/),
    ])
    const pruned = await it.call(["sync", "prune", it.mirror, "--before", "2100-01-01"])
    expect(pruned.stderr).toMatch(/^1 version from before/)
    const unknown = await it.call(["sync", "forget", it.mirror, "beta", "nobody"])
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining("The mirror has no account nobody."),
    ])
    expect(it.rows("select account from account")).toEqual([{ account: "acme" }])
    const missing = await it.call(["sync", "prune", `${it.mirror}-other`, "--before", "1d"])
    expect([missing.code, missing.stderr]).toEqual([10, expect.stringContaining("There is no mirror")])
    expect(await it.files()).not.toContain("mirror.sqlite-other")
  })
})
