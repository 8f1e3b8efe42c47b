/** A PostgreSQL server for tests, from the installed programs: on loopback, with its data in a separate folder. */
import { spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

/** Where Debian's package installs the server programs, which are not on the path. */
const debian = "/usr/lib/postgresql"
const required = process.env["DEEDKIT_REQUIRE_POSTGRES"] === "1"

const runs = (folder: string): boolean =>
  spawnSync(join(folder, "postgres"), ["--version"], { stdio: "ignore" }).status === 0
const versions = await readdir(debian).catch((): ReadonlyArray<string> => [])
const folders = ["", ...versions.map((version) => join(debian, version, "bin"))]

/** The folder with PostgreSQL's programs; undefined if it is not installed. */
const programs = folders.find(runs)
export const hasPostgres = required || programs !== undefined
if (!hasPostgres) console.warn("SKIPPED: PostgreSQL is not installed, so the mirror in it is not tried.")

export const password = "a-password-of-the-tests"

export interface Server extends AsyncDisposable {
  /** Creates a database and returns its address. */
  readonly database: (name: string) => Promise<string>
  /** Kills the server like a crash and starts it again. */
  readonly restart: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

/** PostgreSQL refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 }

export const start = async (): Promise<Server> => {
  if (programs === undefined) throw new Error("PostgreSQL is required, and not installed")
  const user = process.getuid?.() === 0 ? nobody : null
  const folder = await mkdtemp(join(tmpdir(), "deedkit-postgres-"))
  const data = join(folder, "data")
  const secret = join(folder, "password")
  await writeFile(secret, password)
  if (user !== null) for (const path of [folder, secret]) await chown(path, user.uid, user.gid)
  const made = spawnSync(
    join(programs, "initdb"),
    [
      "-D",
      data,
      "-U",
      "owner",
      "-E",
      "UTF8",
      "--locale=C",
      "--auth=scram-sha-256",
      `--pwfile=${secret}`,
      "--no-sync",
    ],
    { ...user, cwd: folder, encoding: "utf8" },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  let port = 0
  const address = (name: string) => `postgres://owner:${password}@127.0.0.1:${port}/${name}`
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    max_connections: "60",
  }
  /** Runs a program of PostgreSQL. Returns the error output; empty on success. */
  const ask = (program: string, ...args: ReadonlyArray<string>): string => {
    const { status, stderr, stdout } = spawnSync(join(programs, program), args, { encoding: "utf8" })
    return status === 0 ? "" : `${stdout}${stderr}` || `exit code ${status}`
  }
  let running: ChildProcess | undefined
  /** Whether the server answers; false if it ended, as it does when another program uses its port. */
  const boots = async (): Promise<boolean> => {
    const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    running = spawn(join(programs, "postgres"), ["-D", data, "-p", String(port), ...given], {
      ...user,
      cwd: folder,
      stdio: "ignore",
    })
    for (let left = 1_000; left > 0 && running.exitCode === null; left--) {
      if (ask("pg_isready", "-d", address("postgres")) === "") return true
      await setTimeout(50)
    }
    running.kill("SIGKILL")
    return false
  }
  const boot = async (ports: ReadonlyArray<number>): Promise<void> => {
    for (port of ports) if (await boots()) return
    throw new Error("PostgreSQL does not start")
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(running!, "exit")
    running!.kill(signal)
    await ended
  }
  await boot([await freePort(), await freePort(), await freePort()])
  return {
    database: async (name) => {
      const problem = ask("createdb", "--maintenance-db", address("postgres"), name)
      if (problem !== "") throw new Error(`createdb: ${problem}`)
      return address(name)
    },
    restart: async () => {
      await end("SIGQUIT")
      await boot([port])
    },
    [Symbol.asyncDispose]: async () => {
      await end("SIGINT")
      await rm(folder, { recursive: true, force: true })
    },
  }
}
