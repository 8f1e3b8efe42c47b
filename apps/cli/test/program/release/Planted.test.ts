/** What another user has put into a folder that every user may write, under the names that the program uses. Takes two users, and so root. */
import { execFileSync } from "node:child_process"
import { chmod, chown, lchown, link, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench, RunOptions } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"

const isRoot = process.platform === "linux" && process.getuid?.() === 0
if (!isRoot) console.warn("SKIPPED: only root on Linux can try what another user has planted.")

/** Who runs the program, and who plants. */
const [victim, attacker] = [54_321, 65_534]

/** What the victim has elsewhere. */
const precious = "private/precious.txt"

/** Puts an entry of the attacker at a path. `to` is a file of the victim. */
const plant: {
  readonly [Kind in "link" | "dangling" | "pipe" | "file"]: (at: string, to: string) => Promise<void>
} = {
  link: async (at, to) => {
    await symlink(to, at)
    await lchown(at, attacker, attacker)
  },
  dangling: async (at, to) => {
    await symlink(`${to}.new`, at)
    await lchown(at, attacker, attacker)
  },
  pipe: async (at) => {
    execFileSync("mkfifo", ["-m", "666", at])
    await chown(at, attacker, attacker)
  },
  file: async (at) => {
    await writeFile(at, "")
    await chmod(at, 0o666)
    await chown(at, attacker, attacker)
  },
}
type Kind = keyof typeof plant
const kinds = Object.keys(plant) as ReadonlyArray<Kind>

const hardLink = async (at: string, to: string): Promise<void> => link(to, at)

interface Shared extends Bench {
  /** Runs as the victim, in a folder that every user may write. */
  readonly victim: Bench["run"]
  readonly at: (name: string) => string
  /** Fails if the file of the victim has changed, or another one was made beside it. */
  readonly expectUntouched: () => Promise<void>
}

const shared = async (): Promise<Shared> => {
  const it = await bench()
  const at = (name: string): string => join(it.folder, name)
  await chmod(it.folder, 0o777)
  await mkdir(at("private"), { mode: 0o700 })
  await writeFile(at(precious), "mine", { mode: 0o600 })
  for (const name of ["private", precious]) await chown(at(name), victim, victim)
  const options: Partial<RunOptions> = {
    uid: victim,
    env: { HOME: at("private"), XDG_CONFIG_HOME: at("private/config") },
    onStart: (child) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), 30_000)
      child.once("close", () => clearTimeout(timer))
    },
  }
  return {
    ...it,
    at,
    victim: (args, more = {}) => it.run(args, { ...options, ...more, env: { ...options.env, ...more.env } }),
    expectUntouched: async () => {
      expect(await it.file(precious)).toBe("mine")
      await expect(it.file(`${precious}.new`)).rejects.toMatchObject({ code: "ENOENT" })
    },
  }
}

/** Does it with each kind of entry, one at a time. */
const forEach = async (
  it: Shared,
  name: string,
  planting: ReadonlyArray<Kind | "hard link">,
  work: (kind: string) => Promise<void>,
): Promise<void> => {
  for (const kind of planting) {
    await (kind === "hard link" ? hardLink : plant[kind])(it.at(name), it.at(precious))
    await work(kind)
    await it.expectUntouched()
    await rm(it.at(name))
  }
}

const everything = [...kinds, "hard link"] as const
const refusal = /another user|not a regular file|second name/

describe.runIf(isRoot)("in a folder that every user may write", () => {
  it("an export goes to no planted link or pipe, with and without --overwrite, and nothing is requested", async () => {
    await using it = await shared()
    for (const flags of [[], ["--overwrite"]]) {
      await forEach(it, "out.csv", ["link", "dangling", "pipe"], async (kind) => {
        const { code, stderr } = await it.victim(["export", "keys", "--out", "out.csv", ...flags])
        expect([kind, code, stderr]).toEqual([kind, 10, expect.stringMatching(refusal)])
      })
    }
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("an export that replaces a file of another user takes neither its readers nor its owner", async () => {
    await using it = await shared()
    await plant.file(it.at("out.csv"), "")
    const { code } = await it.victim(["export", "keys", "--out", "out.csv", "--overwrite", "--quiet"])
    expect(code).toBe(0)
    const [mode, owner] = execFileSync("stat", ["-c", "%a %u", it.at("out.csv")], { encoding: "utf8" })
      .trim()
      .split(" ")
    expect([Number.parseInt(mode!, 8) & 0o022, Number(owner)]).toEqual([0, victim])
  })

  it("pages are saved in no planted file", async () => {
    await using it = await shared()
    await forEach(it, "out.csv.part.records", everything, async (kind) => {
      for (const flags of [[], ["--resume"]]) {
        const { code, stderr } = await it.victim(["export", "keys", "--out", "out.csv", ...flags])
        expect([kind, code, stderr]).toEqual([kind, 10, expect.stringMatching(refusal)])
      }
    })
    expect(it.emulator.journal.entries).toEqual([])
  })

  it("files beside an export are written over no planted entry", async () => {
    await using it = await shared()
    for (const name of ["out.csv.manifest.json", "out.csv.0123abcd.part"]) {
      await forEach(it, name, ["link", "dangling", "pipe"], async (kind) => {
        const { code } = await it.victim(["export", "keys", "--out", "out.csv", "--overwrite", "--quiet"])
        expect([kind, code]).toEqual([kind, 0])
        const dry = await it.victim(["export", "keys", "--out", "out.csv", "--overwrite", "--dry-run"])
        expect([kind, dry.code]).toEqual([kind, 0])
        await plant.dangling(it.at("out.csv.manifest.json"), it.at(precious)).catch(() => {})
      }).catch((cause: NodeJS.ErrnoException) => {
        // A sweep has removed it.
        if (cause.code !== "ENOENT") throw cause
      })
    }
  })

  it.each(["", "-wal", "-journal", "-shm"])(
    "a mirror is kept in no planted file (m.sqlite%s)",
    async (end) => {
      await using it = await shared()
      if (end !== "") expect((await it.victim(["sync", "--to", "m.sqlite", "--quiet"])).code).toBe(0)
      await forEach(it, `m.sqlite${end}`, everything, async (kind) => {
        const { code, stderr } = await it.victim(["sync", "--to", "m.sqlite"])
        expect([kind, code]).toEqual([kind, 10])
        if (!(kind === "pipe" && end === "")) expect(stderr).toMatch(refusal)
        expect((await it.victim(["sync", "status", "m.sqlite"])).code).not.toBe(null)
      })
    },
  )

  it("settings, their lock and keys are taken from no planted file", async () => {
    await using it = await shared()
    await mkdir(it.at("config/deedkit"), { recursive: true })
    for (const folder of ["config", "config/deedkit"]) await chmod(it.at(folder), 0o777)
    const env = { XDG_CONFIG_HOME: it.at("config"), DEEDKIT_API_KEY: undefined, DEEDKIT_BASE_URL: undefined }
    for (const name of ["config.json", "lock"]) {
      await forEach(it, `config/deedkit/${name}`, everything, async (kind) => {
        const { code, stderr } = await it.victim(
          [
            "auth",
            "login",
            "--profile",
            "p",
            "--base-url",
            it.url,
            "--with-key",
            "--insecure-storage",
            "--json",
          ],
          { env, stdin: it.emulator.apiKey, secret: "no such text" },
        )
        expect([kind, name, code, stderr]).toEqual([kind, name, 10, expect.stringMatching(refusal)])
      })
    }
    await forEach(it, "key", everything, async (kind) => {
      const { code, stderr } = await it.victim(["me"], {
        env: { DEEDKIT_API_KEY: undefined, DEEDKIT_API_KEY_FILE: it.at("key") },
      })
      expect([kind, code, stderr]).toEqual([
        kind,
        2,
        expect.stringMatching(/another user|key file|second name/),
      ])
    })
    await forEach(it, "accounts.ndjson", everything, async (kind) => {
      const args = ["sync", "--to", "private/m.sqlite", "--accounts", "accounts.ndjson"]
      const { code, stderr } = await it.victim(args)
      expect([kind, code, stderr]).toEqual([kind, 2, expect.stringMatching(refusal)])
    })
  })

  it("a debug bundle replaces nothing that is planted", async () => {
    await using it = await shared()
    await forEach(it, "bundle.json", everything, async (kind) => {
      const { code, stderr } = await it.victim(["me", "--debug-bundle", "bundle.json"])
      expect([kind, code, stderr]).toEqual([kind, 2, expect.stringContaining("exists already")])
    })
  })

  it("links and files of the user's own work as everywhere", async () => {
    await using it = await shared()
    await writeFile(it.at("real.csv"), "old")
    await symlink("real.csv", it.at("out.csv"))
    for (const name of ["real.csv", "out.csv"]) await lchown(it.at(name), victim, victim)
    const { code } = await it.victim(["export", "keys", "--out", "out.csv", "--overwrite", "--quiet"])
    expect(code).toBe(0)
    expect(await readFile(it.at("real.csv"), "utf8")).toContain("Scopes")
    expect((await it.victim(["sync", "--to", "m.sqlite", "--quiet"])).code).toBe(0)
    expect((await it.victim(["sync", "--to", "m.sqlite", "--quiet"])).code).toBe(0)
  })
})
