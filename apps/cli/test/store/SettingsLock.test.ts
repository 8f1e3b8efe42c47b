import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import * as SettingsLock from "../../src/store/SettingsLock.ts"
import type { Failure } from "../../src/failure/Failure.ts"

const seed = Number(process.env["DEEDKIT_SEED"] ?? Date.now() % 1_000_000)
const wanted = Number(process.env["DEEDKIT_KILLS"] ?? 6)

/** Numbers from 0 to 1 that follow from the seed. */
const random = (() => {
  let state = seed
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
})()

/** A folder with a number in a file, and the lock beside it. */
const place = async () => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-lock-"))
  const path = join(folder, "number")
  await writeFile(path, "0")
  return {
    folder,
    path,
    lock: SettingsLock.beside(path),
    names: () => readdir(folder),
    number: async () => Number(await readFile(path, "utf8")),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const script = join(import.meta.dirname, "LockedCounter.ts")
const counting = (path: string, what = "count"): ChildProcess =>
  spawn(process.execPath, ["--conditions=@deedkit/source", script, path, what], {
    stdio: ["ignore", "pipe", "inherit"],
  })

const kill = async (child: ChildProcess): Promise<void> => {
  const closed = once(child, "close")
  child.kill("SIGKILL")
  await closed
}

/** Resolves once a process has said that it holds the lock. */
const holder = async (path: string): Promise<ChildProcess> => {
  const child = counting(path, "hold")
  await once(child.stdout!, "data")
  return child
}

const brief = { tries: 3, millis: 1 }
/** Takes the lock, or gives up after a few tries. */
const tryLock = (lock: string) => Effect.runPromiseExit(Effect.void.pipe(SettingsLock.hold(lock, brief)))

const messageOf = (exit: Exit.Exit<void, Failure>): string =>
  Exit.isFailure(exit) ? String(Exit.findErrorOption(exit)) : "taken"

describe("a lock", () => {
  it("lets one at a time in", async () => {
    await using it = await place()
    let inside = 0
    let most = 0
    const turn = Effect.gen(function* () {
      inside += 1
      most = Math.max(most, inside)
      const number = yield* Effect.promise(it.number)
      yield* Effect.promise(() => writeFile(it.path, String(number + 1)))
      inside -= 1
    })
    await Effect.runPromise(
      Effect.all(
        Array.from({ length: 20 }, () => SettingsLock.hold(it.lock)(turn)),
        { concurrency: "unbounded", discard: true },
      ),
    )
    expect([most, await it.number(), await it.names()]).toEqual([1, 20, ["lock", "number"]])
  })

  it("is not waited for by what runs inside it", async () => {
    await using it = await place()
    const inner = SettingsLock.hold(it.lock, brief)(Effect.succeed("inside"))
    expect(await Effect.runPromise(SettingsLock.hold(it.lock, brief)(inner))).toBe("inside")
    expect(messageOf(await tryLock(it.lock))).toBe("taken")
  })

  it("is given back by what fails, dies or is interrupted, while it waits or works", async () => {
    await using it = await place()
    const locked = SettingsLock.hold(it.lock)
    for (const effect of [Effect.fail("no"), Effect.die("a bug"), Effect.interrupt]) {
      await Effect.runPromiseExit(locked(effect))
      expect(messageOf(await tryLock(it.lock))).toBe("taken")
    }
    const child = await holder(it.path)
    const waiting = Effect.runFork(locked(Effect.void))
    await Effect.runPromise(Fiber.interrupt(waiting))
    expect(messageOf(await tryLock(it.lock))).toContain("Another deedkit")
    await kill(child)
    expect(messageOf(await tryLock(it.lock))).toBe("taken")
  })

  it(
    `loses no turn to ${wanted} processes that are killed at any moment (seed ${seed})`,
    async () => {
      await using it = await place()
      let done = 0
      let kills = 0
      const worker = async (): Promise<void> => {
        while (kills < wanted) {
          const child = counting(it.path)
          child.stdout!.on("data", (lines: Buffer) => (done += lines.toString().length / 2))
          await once(child.stdout!, "data")
          const timer = setTimeout(() => child.kill("SIGKILL"), random() * 400)
          await once(child, "close")
          clearTimeout(timer)
          kills += 1
        }
      }
      await Promise.all([worker(), worker(), worker(), worker()])
      // A process may be killed between the number and the line that says so.
      const number = await it.number()
      expect(done).toBeGreaterThan(kills)
      expect(number).toBeGreaterThanOrEqual(done)
      expect(number).toBeLessThanOrEqual(done + kills)
      expect(messageOf(await tryLock(it.lock))).toBe("taken")
      expect((await it.names()).filter((name) => name.startsWith("lock"))).toEqual(["lock"])
    },
    60_000 + wanted * 1_000,
  )
})

/** Waits until a killed process has ended with all its threads: the last of them closes its files. Nothing asks how it has ended. */
const isGone = async (pid: number) => {
  for (;;) {
    const threads = await readdir(`/proc/${pid}/task`)
    if (threads.length === 1 && /\) Z /.test(await readFile(`/proc/${pid}/stat`, "utf8"))) return
  }
}

describe("a lock of another process", () => {
  it("is left alone while that runs, and named with what to do", async () => {
    await using it = await place()
    const child = await holder(it.path)
    await utimes(it.lock, 0, 0)
    expect(messageOf(await tryLock(it.lock))).toContain(
      `Another deedkit (process ${child.pid}) has locked the folder ${it.folder} for at least 0 seconds. Try again when it has ended.`,
    )
    await kill(child)
  })

  it("that was killed is taken at once, whatever its dates say", async () => {
    await using it = await place()
    await kill(await holder(it.path))
    await utimes(it.lock, 4_000_000_000, 4_000_000_000)
    expect(messageOf(await tryLock(it.lock))).toBe("taken")
  })

  it.each([`${process.ppid} elsewhere`, "1 elsewhere", `${process.ppid} ${hostname()}`, "", "x"])(
    "is taken where the file of one that has ended names %j",
    async (owner) => {
      await using it = await place()
      await writeFile(it.lock, owner)
      expect(messageOf(await tryLock(it.lock))).toBe("taken")
    },
  )

  it.runIf(process.platform === "linux")("that was killed and that nobody buries is taken", async () => {
    await using it = await place()
    const node = `"${process.execPath}" --conditions=@deedkit/source "${script}" "${it.path}" hold`
    // The shell becomes a program that never asks how its child has ended.
    const parent = spawn("sh", ["-c", `${node} & echo $!; exec tail -f /dev/null`])
    let said = ""
    await new Promise<void>((resolve) => {
      parent.stdout.on("data", (text: Buffer) => {
        said += text.toString()
        if (/\d+\n(?:.*\n)*held|held\n(?:.*\n)*\d+\n/.test(said)) resolve()
      })
    })
    const pid = Number(/\d+/.exec(said)?.[0])
    process.kill(pid, "SIGKILL")
    await isGone(pid)
    expect(messageOf(await tryLock(it.lock))).toBe("taken")
    parent.kill("SIGKILL")
  })
})

describe("a folder in which no lock can be made", () => {
  it.runIf(process.platform !== "win32")(
    "because it is somebody else's, or only to be read, is named",
    async () => {
      await using it = await place()
      await chmod(it.folder, 0o555)
      const child = spawn(process.execPath, ["--conditions=@deedkit/source", script, it.path, "hold"], {
        // Nothing is read-only for the first user of a machine.
        ...(process.getuid?.() === 0 ? { uid: 54_321 } : {}),
        stdio: ["ignore", "ignore", "pipe"],
      })
      let said = ""
      child.stderr.on("data", (text: Buffer) => (said += text.toString()))
      await once(child, "close")
      await chmod(it.folder, 0o755)
      expect(said).toContain(
        `The folder ${it.folder} could not be written (EACCES). Check the folder: it must be your own, and writable.`,
      )
      expect(await it.names()).toEqual(["number"])
    },
  )

  it("is named with what to do", async () => {
    await using it = await place()
    const exit = await tryLock(SettingsLock.beside(join(it.path, "below-a-file")))
    expect(messageOf(exit)).toMatch(
      /The folder .*number could not be written \((?:ENOTDIR|EEXIST)\)\. Check the folder/,
    )
    await mkdir(it.lock)
    expect(messageOf(await tryLock(it.lock))).toContain("could not be written (EISDIR)")
    expect(await it.names()).toEqual(["lock", "number"])
  })
})
