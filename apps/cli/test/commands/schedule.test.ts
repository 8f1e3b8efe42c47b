import { execFile, execFileSync, spawn } from "node:child_process"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import { lastingPath } from "../../src/command/Subcommand.ts"
import { bench, program, run } from "../harness/Cli.ts"
import type { Ended } from "../harness/InProcess.ts"
import { canMount, runBeside } from "../harness/ReadOnlyDisk.ts"

interface Office extends AsyncDisposable {
  readonly emulator: Emulator
  /** A folder whose name has a space. */
  readonly folder: string
  /** A folder for programs that are found before those of the machine. */
  readonly bin: string
  readonly schedule: (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => Promise<Ended>
}

/** An account with a key file, in a shell that has its address and names that file. */
const office = async (): Promise<Office> => {
  const emulator = make({ contracts: 30 })
  const [server, root] = await Promise.all([listen(emulator), mkdtemp(join(tmpdir(), "deedkit-schedule-"))])
  const [folder, bin] = [join(root, "the office"), join(root, "bin")]
  await Promise.all([mkdir(folder), mkdir(bin)])
  await writeFile(join(root, "key"), emulator.apiKey, { mode: 0o600 })
  const own = { DEEDKIT_BASE_URL: server.url, DEEDKIT_API_KEY_FILE: join("..", "key"), HOME: root }
  return {
    emulator,
    folder,
    bin,
    schedule: (args, env = {}) =>
      run(["schedule", ...args], {
        cwd: folder,
        secret: emulator.apiKey,
        env: { ...own, PATH: `${bin}:/usr/bin:/bin`, ...env },
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), rm(root, { recursive: true, force: true })])
    },
  }
}

/** Runs the command of a crontab's line as cron does: with an almost empty environment. */
const asCron = async (line: string, home: string): Promise<Ended> => {
  const [, command = ""] = /^(?:\S+ ){5}(.*)$/.exec(line.trimEnd()) ?? []
  const text = command.replaceAll("\\%", "%")
  expect(command.replaceAll("\\%", "")).not.toContain("%")
  const child = spawn("/bin/sh", ["-c", text], {
    cwd: home,
    env: { PATH: "/usr/bin:/bin", HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const said = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, ...said }
}

const script = async (path: string, text: string): Promise<void> => {
  await writeFile(path, `#!/bin/sh\n${text}\n`)
  await chmod(path, 0o755)
}

describe("deedkit schedule", () => {
  it("prints a line of a crontab that works every night, in silence", async () => {
    await using it = await office()
    const name = "it's 100% $HOME `id` {table}.csv"
    const { code, stdout } = await it.schedule(["export", "contracts", "--out", name, "--for", "cron"])
    expect([code, stdout.split("\n")]).toEqual([0, [expect.stringMatching(/^30 2 \* \* \* cd /), ""]])
    for (const night of [1, 2, 3]) {
      if (night === 2) it.emulator.faults.set(["ok-false"])
      const ended = await asCron(stdout, join(it.folder, ".."))
      if (night === 2) {
        expect([night, ended.code]).toEqual([night, 8])
        expect(ended.stderr).not.toBe("")
        it.emulator.faults.set([])
      } else expect([night, ended]).toEqual([night, { code: 0, stdout: "", stderr: "" }])
    }
    const written = name.replace("{table}", "contracts")
    expect((await readdir(it.folder)).toSorted()).toEqual([written, `${written}.manifest.json`])
  })

  it.each(["cron", "github"])("writes files in the language of this shell, for %s", async (scheduler) => {
    await using it = await office()
    const shell = { LANG: "el_GR.UTF-8" }
    const args = ["export", "report", "--out", "report.xlsx", "--for", scheduler]
    expect((await it.schedule(args, shell)).stdout).toContain(" --lang=el")
    expect((await it.schedule([...args, "--lang", "pt"], shell)).stdout).not.toContain("--lang=el")
    expect((await it.schedule(args, { LANG: "en_US.UTF-8" })).stdout).not.toContain("--lang")
    expect((await it.schedule(["me", "--for", "cron"], shell)).stdout).not.toContain("--lang")
    const nameOf = async (env: object) =>
      / (?:# |name: )(deedkit-\S+)/.exec((await it.schedule(args, { ...env })).stdout)?.[1]
    expect(await nameOf(shell)).toBe(await nameOf({ LANG: "en_US.UTF-8" }))
  })

  it("trusts the certificates that this shell trusts, and loads no module that it loads", async () => {
    await using it = await office()
    const shell = {
      NODE_OPTIONS: "--import=data:text/javascript, --use-system-ca",
      SSL_CERT_FILE: "/etc/own/ca.pem",
    }
    const { stdout } = await it.schedule(["me", "--for", "cron"], shell)
    expect(stdout).toMatch(/ SSL_CERT_FILE=\/etc\/own\/ca\.pem \S+ --use-system-ca /)
    expect(stdout).not.toContain("import")
    const without = await it.schedule(["me", "--for", "cron"], { SSL_CERT_FILE: "/etc/own/ca.pem" })
    expect(without.stdout).not.toContain("SSL_CERT")
  })

  it.each([
    ["/opt/homebrew/Cellar/node/24.9.0/bin/node", "/opt/homebrew/opt/node/bin/node"],
    [
      "/home/linuxbrew/.linuxbrew/Cellar/node@22/22.19.0_1/bin/node",
      "/home/linuxbrew/.linuxbrew/opt/node@22/bin/node",
    ],
    ["/usr/bin/node", "/usr/bin/node"],
  ])("starts %s by the path that the next version has too", (path, lasting) => {
    expect(lastingPath(path, () => true)).toBe(lasting)
    expect(lastingPath(path, () => false)).toBe(path)
  })

  it("has the profile with its key file at night, and leaves --for of an export to it", async () => {
    await using it = await office()
    const login = ["auth", "login", "--profile", "acme", "--key-file", join(it.folder, "..", "key")]
    const url = (await it.schedule(["me", "--for", "cron"])).stdout.match(/http:\S+/)?.[0] ?? ""
    const options = { cwd: it.folder, env: { HOME: it.folder } }
    expect((await run([...login, "--base-url", url], options)).code).toBe(0)
    const args = "--at=23:05 export contracts --profile acme --for excel -o a.csv --for=cron".split(" ")
    const { code, stdout } = await run(["schedule", ...args], options)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^5 23 \* \* \* /)])
    expect(stdout).toContain(
      " export contracts --profile acme --for excel --out=a.csv --overwrite --resume --quiet # ",
    )
    expect(await asCron(stdout, it.folder)).toMatchObject({ code: 0, stderr: "" })
    expect(await readFile(join(it.folder, "a.csv"), "utf8")).toMatch(/^\uFEFF/)
  })

  it.each([
    "export contracts a.csv --ping URL --log nights.jsonl",
    "export contracts --log=nights.jsonl --ping=URL -- a.csv",
  ])("tries %s without telling the monitor or writing the log", async (line) => {
    await using it = await office()
    const asked: Array<string | undefined> = []
    const monitor = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    })
    await new Promise<void>((done) => monitor.listen(0, "127.0.0.1", done))
    const url = `http://127.0.0.1:${(monitor.address() as AddressInfo).port}/check`
    const { code, stdout } = await it.schedule(`--for=cron ${line.replace("URL", url)}`.split(" "))
    monitor.closeAllConnections()
    await new Promise((done) => monitor.close(done))
    expect([code, asked, await readdir(it.folder)]).toEqual([0, [], []])
    expect(stdout).toMatch(/--ping[ =]http.*nights\.jsonl|nights\.jsonl.*--ping[ =]http/)
  })

  it("adds itself to a crontab once, keeps other lines, and says how to remove it", async () => {
    await using it = await office()
    const table = join(it.folder, "table")
    await script(
      join(it.bin, "crontab"),
      `if [ "$1" = -l ]; then [ -e '${table}' ] || { echo "no crontab for me" >&2; exit 1; }; cat '${table}'; else cat > '${table}.new' && mv '${table}.new' '${table}'; fi`,
    )
    const install = ["--install", "--for", "cron", "export", "keys", "--out", "keys.csv"]
    expect(await it.schedule(install)).toMatchObject({ code: 0, stdout: "" })
    await writeFile(table, `# mine\n0 5 * * * true\n${await readFile(table, "utf8")}`)
    const again = await it.schedule([...install, "--at", "04:00"])
    const lines = (await readFile(table, "utf8")).split("\n")
    expect(lines).toEqual(["# mine", "0 5 * * * true", expect.stringMatching(/^0 4 \* \* \* /), ""])
    expect(await asCron(lines[2]!, it.folder)).toMatchObject({ code: 0, stderr: "" })
    const [, remove = ""] = again.stderr.split("To remove it:\n")
    await promisify(execFile)("/bin/sh", ["-c", remove], { env: { PATH: `${it.bin}:/usr/bin:/bin` } })
    expect(await readFile(table, "utf8")).toBe("# mine\n0 5 * * * true\n")
  })

  it("leaves a crontab that cannot be read as it is", async () => {
    await using it = await office()
    await script(
      join(it.bin, "crontab"),
      `[ "$1" = -l ] && { echo "not allowed" >&2; exit 1; }; touch '${it.folder}/written'`,
    )
    const ended = await it.schedule(["--install", "--for", "cron", "me"])
    expect([ended.code, ended.stderr]).toEqual([
      10,
      "The crontab could not be read (not allowed). Without --install the line is printed.\n",
    ])
    expect(await readdir(it.folder)).toEqual([])
  })

  it.runIf(process.platform === "linux")(
    "installs units that systemd accepts, starts their timer, and says where none runs",
    async () => {
      await using it = await office()
      const calls = join(it.folder, "calls")
      await script(join(it.bin, "systemctl"), `echo "$@" >> '${calls}'`)
      const args = ["--install", "--for", "systemd", "export", "keys", "--out", 'a "b" 50% $x\\y.csv']
      const ended = await it.schedule(args)
      expect([ended.code, ended.stdout]).toEqual([0, ""])
      const units = join(it.folder, ".config", "systemd", "user")
      const [service = "", timer = ""] = (await readdir(units)).toSorted()
      expect([service, timer]).toEqual([
        expect.stringMatching(/^deedkit-export-keys-[\da-f]{6}\.service$/),
        service.replace(/service$/, "timer"),
      ])
      expect((await readFile(calls, "utf8")).split("\n")).toEqual([
        "--user daemon-reload",
        `--user enable --now ${timer}`,
        "",
      ])
      expect((await stat(join(units, service))).mode & 0o777).toBe(0o600)
      const unit = await readFile(join(units, service), "utf8")
      expect(unit).toContain(`WorkingDirectory=${it.folder}\n`)
      expect(unit).toContain('"--out" "a \\"b\\" 50%% $$x\\\\y.csv" "--overwrite" "--resume" "--quiet"\n')
      expect(ended.stderr).toContain(`systemctl --user disable --now ${timer} && rm `)
      await script(join(it.bin, "systemctl"), "echo 'Failed to connect to bus' >&2; exit 1")
      const without = await it.schedule(args)
      expect([without.code, without.stderr]).toEqual([
        10,
        `systemctl --user daemon-reload failed (Failed to connect to bus). The units are in ${units}. Where no systemd of the user runs, use --for cron.\n`,
      ])
    },
  )

  it.runIf(process.platform === "linux")("writes no unit to a pipe that is in its place", async () => {
    await using it = await office()
    await script(join(it.bin, "systemctl"), "true")
    const args = ["--install", "--for", "systemd", "export", "keys", "--out", "a.csv"]
    expect((await it.schedule(args)).code).toBe(0)
    const units = join(it.folder, ".config", "systemd", "user")
    const [service = ""] = await readdir(units)
    await rm(join(units, service))
    execFileSync("mkfifo", [join(units, service)])
    const { code, stderr } = await it.schedule(args)
    expect([code, stderr]).toEqual([10, expect.stringContaining("it is not a regular file")])
  })

  it.skipIf(!canMount)("says that units cannot be written to a read-only disk", async () => {
    await using it = await bench()
    const units = join(it.folder, "read-only", "systemd", "user")
    const env = {
      XDG_CONFIG_HOME: join(it.folder, "read-only"),
      DEEDKIT_API_KEY: undefined,
      DEEDKIT_API_KEY_FILE: "key",
    }
    await writeFile(join(it.folder, "key"), it.emulator.apiKey, { mode: 0o600 })
    const args = ["schedule", "--install", "--for", "systemd", "export", "keys", "--out", "a.csv"]
    expect(await runBeside(it, args, env)).toEqual({
      code: 10,
      stderr: `The units could not be written to ${units} (its file system is mounted read-only). Without --install they are printed.\n`,
    })
  })

  it("prints a job of launchd with each word as it was typed", async () => {
    await using it = await office()
    const { code, stdout } = await it.schedule(
      "export keys --out a&<b>.csv --for launchd --at 7:45".split(" "),
    )
    expect(code).toBe(0)
    const strings = [...stdout.matchAll(/<string>(.*)<\/string>/g)].map(([, text]) => text)
    expect(strings).toEqual(
      expect.arrayContaining([
        process.execPath,
        program,
        "export",
        "--out",
        "a&amp;&lt;b&gt;.csv",
        it.folder,
      ]),
    )
    expect(stdout.match(/<integer>\d+<\/integer>/g)).toEqual([
      "<integer>7</integer>",
      "<integer>45</integer>",
    ])
    expect(stdout).not.toMatch(/&(?!amp;|lt;|gt;)/)
  })

  it("prints a task of Windows, and refuses variables, which a task does not have", async () => {
    await using it = await office()
    const args = ["--for", "windows", "contracts", "list", "--profile", "acme", "--where", `title~it's 5" \\`]
    const empty = { DEEDKIT_BASE_URL: "", DEEDKIT_API_KEY_FILE: "", XDG_CONFIG_HOME: "", TZ: "" }
    const { code, stdout } = await it.schedule(args, empty)
    expect([code, stdout]).toEqual([0, expect.stringContaining(`-Execute '${process.execPath}' -Argument `)])
    expect(stdout).toContain(
      `contracts list --profile acme --where "title~it''s 5\\" \\\\"' -WorkingDirectory '${it.folder}')`,
    )
    const refused = await it.schedule(args)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("A Windows task cannot set variables"),
    ])
  })

  it("prints a workflow that keeps the files, with the key as a secret", async () => {
    await using it = await office()
    const args = ["export", "all", "--out", "x/{date}-{table}.csv", "--for", "github"]
    const { code, stdout } = await it.schedule(args)
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(" export all --out 'x/{date}-{table}.csv' --overwrite --resume --quiet\n"),
    ])
    expect(stdout).toContain("          path: |\n            x/*-*\n")
    expect(stdout).toContain("DEEDKIT_API_KEY: ${{ secrets.DEEDKIT_API_KEY }}")
    expect(stdout).not.toContain(it.folder)
    expect(stdout.match(/uses: .*/g)).toEqual([
      expect.stringMatching(/^uses: actions\/setup-node@[\da-f]{40} # v/),
      expect.stringMatching(/^uses: actions\/upload-artifact@[\da-f]{40} # v/),
    ])
    expect((await it.schedule(["export", "all", "x.csv", "--for", "github"])).stderr).toContain(
      "Add `--out FILE`.",
    )
  })

  it.each([
    ["auth login", "cannot be scheduled"],
    ["sync worker --to m.sqlite", "cannot be scheduled"],
    ["sync --to m.sqlite --every 24h", "a scheduler runs it once a night"],
    ["sync --every=24h --to m.sqlite", "a scheduler runs it once a night"],
    ["schedule me", "cannot be scheduled"],
    ["export verify a-{date}.xlsx", "fills in no {date}"],
    ["export verify {table}.csv --max-age 36h", "fills in no {date}"],
    ["export contracts --out -", "--out - is none"],
    ["export contracts --out /dev/stdout", "--out - is none"],
    ["export contracts --out=/dev/fd/1", "--out - is none"],
    ["export contracts --out a.csv --frob", "Unknown flag --frob"],
    ["me --for xx", "Unknown flag --for for deedkit me"],
    ["contracts list --limit x", 'Invalid value "x" for --limit'],
    ["contracts get", "Missing ID for deedkit contracts get"],
    ["sync status m.sqlite --frob", "Unknown flag --frob"],
    ["sync status m.sqlite n.sqlite", 'Unexpected argument "n.sqlite"'],
    ["-- me --version", "Unknown flag --version"],
    ["contracts", "cannot be scheduled"],
    ["me --ping office", "--ping takes the URL that your monitor gives"],
    ["me --debug-bundle b.json", "--debug-bundle takes a new file"],
    ["export contracts --out a.docx", "Unknown format for --out a.docx"],
    ["export contracts --profile nobody --out a.csv", "nobody"],
    ["export contracts --out a.csv --api-key-stdin", "cannot ask for a key"],
    ["export contracts --out a.csv --force", "Add --overwrite"],
    ["--at 24:00 me", "a time of day such as 02:30"],
    ["--install --for github me", "--install is for systemd and cron"],
    ["--install --for windows me", "--install is for systemd and cron"],
  ])("refuses %s, which would fail at night", async (line, words) => {
    await using it = await office()
    const { code, stderr, stdout } = await it.schedule(
      (line.includes("--for") ? line : `--for cron ${line}`).split(" "),
    )
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(words)])
    expect(it.emulator.journal.entries).toEqual([])
  })

  it.each([
    ["export report --split-by city --out r-{value}.xlsx", "--overwrite --quiet"],
    ["export contracts --all --combine --out offices.xlsx", "--overwrite --resume --quiet"],
    ["export report --profile a --profile b --out all.xlsx", "--overwrite --resume --quiet"],
  ])("schedules %s, which has no dry run", async (line, added) => {
    await using it = await office()
    const { code, stderr, stdout } = await it.schedule(["--for", "cron", ...line.split(" ")])
    expect([code, stderr]).toEqual([0, expect.stringContaining("crontab")])
    expect(stdout).toContain(` ${added} # `)
  })

  it.each([
    ["export all --from postgres://u:hunter2@db/x --out a.xlsx"],
    ["sync status postgresql://db/x?password=hunter2"],
    ["sync --all --to=postgres://u:hunter2@db/x"],
  ])("refuses %s, whose password would be in the job", async (line) => {
    await using it = await office()
    const { code, stderr, stdout } = await it.schedule(["--for", "cron", ...line.split(" ")])
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("holds a password")])
    expect(stderr).not.toContain("hunter2")
  })

  it("gives the variables of PostgreSQL to the job, and refuses a password that only this shell has", async () => {
    await using it = await office()
    const line = ["--for", "cron", "sync", "status", "postgres://db/x"]
    const { code, stdout } = await it.schedule(line, {
      PGHOST: "db.example.com",
      PGCONNECT_TIMEOUT: "5",
      PG_PASSWORD: "hunter2",
      PGSSLPASSWORD: "hunter2",
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining("PGHOST=db.example.com")])
    expect(stdout).toContain("PGCONNECT_TIMEOUT=5")
    expect(stdout).not.toContain("hunter2")
    const refused = await it.schedule(line, { PGPASSWORD: "hunter2" })
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("Put the password into ~/.pgpass"),
    ])
    const other = await it.schedule(["--for", "cron", "sync", "status", "m.sqlite"], {
      PGHOST: "db",
      PGPASSWORD: "hunter2",
    })
    expect([other.code, other.stdout]).toEqual([0, expect.not.stringContaining("PGHOST")])
  })

  it("refuses a key that only this shell has", async () => {
    await using it = await office()
    const { code, stderr } = await it.schedule(["me"], { DEEDKIT_API_KEY: "dk_only_here" })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("DEEDKIT_API_KEY is not set when a scheduler"),
    ])
  })
})
