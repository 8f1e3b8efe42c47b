/**
 * A week of an office: thirty profiles that the printed line of a crontab exports every night, on a clock that is moved. The service fails in the second
 * night and the disk is full in the third; in the fourth clocks go back, so that cron runs the line twice; then a key is revoked for two nights. Logs,
 * the monitor, exit codes and `verify --max-age` of each morning have to tell it.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"

/** A small disk in place of the folder; only root on Linux can have one. */
const onSmallDisk = async (folder: string, work: () => Promise<void>): Promise<void> => {
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status).toBe(0)
  try {
    await work()
  } finally {
    expect(spawnSync("umount", [folder]).status).toBe(0)
  }
}
const canMount =
  process.platform === "linux" &&
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0
if (!canMount) console.warn("SKIPPED: a week with a full disk needs root on Linux.")

/** A monitor that keeps what it was told. */
const monitor = async () => {
  const told: Array<string> = []
  const server = createServer((request, response) => {
    told.push(request.url ?? "")
    response.end()
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/it`,
    told,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

/** Moves the clock of a Node process to where `NOW` says that it is. */
const moved = `const away = Date.parse(process.env.NOW) - Date.now()
globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)) }
  static now() { return super.now() + away }
}`

const names = Array.from({ length: 30 }, (_, at) => `office-${String(at + 1).padStart(2, "0")}`)
const zone = "Europe/Athens"

const office = async (ping: string) => {
  const it = await bench({ contracts: 40 })
  const secrets = names.map((name) =>
    it.emulator.store.insertKey({ name, scopes: ["read:contracts", "read:me"] }),
  )
  await mkdir(join(it.folder, "out"))
  await writeFile(join(it.folder, "clock.mjs"), moved)
  const own = { DEEDKIT_API_KEY: undefined, DEEDKIT_BASE_URL: undefined, HOME: it.folder }
  for (const [at, name] of names.entries()) {
    const file = join(it.folder, `${name}.key`)
    await writeFile(file, secrets[at]!.secret, { mode: 0o600 })
    const login = ["auth", "login", "--profile", name, "--base-url", it.url, "--key-file", file, "--quiet"]
    expect((await it.run(login, { env: own })).code).toBe(0)
  }
  const words =
    "export contracts --all --out out/{profile}-{date}.csv --keep 3d --attempts 1 --log nights.log --ping"
  const scheduled = await it.run(["schedule", "--for", "cron", "--at", "03:30", ...words.split(" "), ping], {
    env: own,
  })
  expect([scheduled.code, scheduled.stdout]).toEqual([0, expect.stringMatching(/^30 3 \* \* \* cd /)])
  const line = scheduled.stdout
    .trimEnd()
    .replace(/^(?:\S+ ){5}/, "")
    .replaceAll(String.raw`\%`, "%")

  /** What cron does at a moment: the line in a shell, in an almost empty environment. */
  const night = (moment: string) =>
    new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
      const env = { PATH: "/usr/bin:/bin", HOME: it.folder, TZ: zone, NOW: moment }
      const child = spawn("/bin/sh", ["-c", line], {
        cwd: it.folder,
        env: { ...env, NODE_OPTIONS: `--import=${join(it.folder, "clock.mjs")}` },
      })
      let said = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text))
      child.once("close", (code) => resolve({ code, said }))
    })

  /** The latest file of each profile, checked at a moment as somebody does in the morning. */
  const morning = async (moment: string) => {
    const files = (await exported(it)).toSorted()
    const latest = names.map((name) => files.findLast((file) => file.startsWith(name)) ?? "none")
    const checked = await it.run(
      ["export", "verify", ...latest.map((file) => `out/${file}`), "--max-age", "36h"],
      {
        env: { ...own, TZ: zone, NOW: moment, NODE_OPTIONS: `--import=${join(it.folder, "clock.mjs")}` },
      },
    )
    const old = checked.stderr.matchAll(/(office-\d+)-2026\S*: the export ended at \S+, longer ago than 36h/g)
    return { code: checked.code, old: [...old].map(([, name]) => name) }
  }
  return { it, secrets, night, morning }
}

const exported = async (it: Bench): Promise<ReadonlyArray<string>> =>
  (await readdir(join(it.folder, "out"))).filter((name) => name.endsWith(".csv"))

it.runIf(canMount)(
  "a week of thirty profiles is told by logs, monitor, exit codes and checks as it was",
  async () => {
    await using told = await monitor()
    const { it, morning, night, secrets } = await office(told.url)
    await using _ = it
    const codes: Array<number | null> = []
    const run = async (moment: string): Promise<string> => {
      const { code, said } = await night(moment)
      codes.push(code)
      return said
    }

    expect(await run("2026-10-22T03:30:00+03:00")).toBe("")
    expect((await exported(it)).toSorted()).toEqual(names.map((name) => `${name}-2026-10-22.csv`))
    expect(await morning("2026-10-22T08:00:00+03:00")).toEqual({ code: 0, old: [] })

    it.emulator.faults.set(["status:code=503"])
    expect(await run("2026-10-23T03:30:00+03:00")).toContain("office-30")
    it.emulator.faults.clear()
    expect(await morning("2026-10-23T08:00:00+03:00")).toEqual({ code: 0, old: [] })

    await onSmallDisk(join(it.folder, "out"), async () => {
      expect(await run("2026-10-24T03:30:00+03:00")).toContain("No space left on the disk")
    })
    expect(await morning("2026-10-24T08:00:00+03:00")).toEqual({ code: 9, old: names })

    // 03:30 twice: clocks go back from 04:00 to 03:00.
    expect(await run("2026-10-25T03:30:00+03:00")).toBe("")
    expect(await run("2026-10-25T03:30:00+02:00")).toBe("")
    expect(await morning("2026-10-25T08:00:00+02:00")).toEqual({ code: 0, old: [] })

    const lost = secrets[6]!
    it.emulator.store.revoke(lost.record.id)
    for (const day of ["26", "27"]) {
      const said = await run(`2026-10-${day}T03:30:00+02:00`)
      expect(said).toContain("office-07")
      expect(said).not.toContain("office-08")
    }
    expect(await morning("2026-10-27T08:00:00+02:00")).toEqual({ code: 9, old: ["office-07"] })

    const { secret } = it.emulator.store.insertKey({ scopes: ["read:contracts", "read:me"] })
    await writeFile(join(it.folder, "office-07.key"), secret)
    expect(await run("2026-10-28T03:30:00+02:00")).toBe("")
    expect(await morning("2026-10-28T08:00:00+02:00")).toEqual({ code: 0, old: [] })

    expect(codes).toEqual([0, 7, 10, 0, 0, 4, 4, 0])
    expect(told.told).toEqual(codes.map((code) => (code === 0 ? "/it" : "/it/fail")))
    const log = (await readFile(join(it.folder, "nights.log"), "utf8"))
      .trimEnd()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as { readonly at: string; readonly event: string; readonly exitCode?: number },
      )
    const ended = log.filter(({ event }) => event === "ended")
    expect(ended.map(({ exitCode }) => exitCode)).toEqual(codes)
    expect(ended.map(({ at }) => at.slice(0, 13))).toEqual(
      ["22T00", "23T00", "24T00", "25T00", "25T01", "26T01", "27T01", "28T01"].map(
        (hour) => `2026-10-${hour}`,
      ),
    )
    // --keep 3d, by each profile that was complete in the last night.
    expect((await exported(it)).toSorted()).toEqual(
      names.flatMap((name) =>
        (name === "office-07" ? ["25", "28"] : ["25", "26", "27", "28"]).map(
          (day) => `${name}-2026-10-${day}.csv`,
        ),
      ),
    )
  },
  300_000,
)
