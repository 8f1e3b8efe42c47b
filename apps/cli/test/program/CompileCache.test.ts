/** Where the program keeps its compiled code: Node runs what it finds there, so nobody else may be able to write it. */
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it as test } from "vitest"
import { run } from "../harness/Cli.ts"

const isRoot = process.getuid?.() === 0

/** Any user but root. */
const somebody = 65_534

const it = test.extend("folder", async ({}, { onCleanup }) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "deedkit-cache-")))
  onCleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
})

const start = (cwd: string, cache: string) => run(["--help"], { cwd, env: { XDG_CACHE_HOME: cache } })

describe("the compile cache", () => {
  it("is a folder of the user's own, and nothing of the shared temporary folder", async ({ folder }) => {
    const [shared, own] = [join(folder, "shared"), join(folder, "own")]
    await mkdir(shared, { mode: 0o777 })
    const { code } = await run(["--help"], { cwd: folder, env: { TMPDIR: shared, XDG_CACHE_HOME: own } })
    expect(code).toBe(0)
    expect(await readdir(shared)).toEqual([])
    expect(await readdir(join(own, "deedkit"))).not.toEqual([])
    expect((await stat(join(own, "deedkit"))).mode & 0o777).toBe(0o700)
  })

  it("is the one in the home folder where no other is named", async ({ folder }) => {
    const { code } = await run(["--version"], { cwd: folder, env: { HOME: folder } })
    expect(code).toBe(0)
    expect(await readdir(join(folder, ".cache", "deedkit"))).not.toEqual([])
  })

  it("is nowhere for a home folder that is a relative path", async ({ folder }) => {
    const { code } = await run(["--version"], { cwd: folder, env: { HOME: "home" } })
    expect([code, await readdir(folder)]).toEqual([0, []])
  })

  it.runIf(process.platform === "linux")(
    "is nowhere below a folder that takes no folders",
    async ({ folder }) => {
      const { code } = await run(["--version"], { cwd: folder, env: { HOME: "/proc" } })
      expect(code).toBe(0)
    },
  )

  it("is not used where others can write", async ({ folder }) => {
    const cache = join(folder, "deedkit")
    await mkdir(cache)
    for (const mode of [0o777, 0o1777]) {
      await chmod(cache, mode)
      expect((await start(folder, folder)).code).toBe(0)
      expect(await readdir(cache)).toEqual([])
    }
  })

  it("is not used where others can put another folder in its place", async ({ folder }) => {
    const cache = join(folder, "deedkit")
    await mkdir(cache, { mode: 0o700 })
    await chmod(folder, 0o777)
    expect((await start(folder, folder)).code).toBe(0)
    expect(await readdir(cache)).toEqual([])
  })

  it.runIf(isRoot)(
    "is not used where it belongs to somebody else, or its folder does",
    async ({ folder }) => {
      const cache = join(folder, "deedkit")
      await mkdir(cache, { mode: 0o700 })
      for (const path of [cache, folder]) {
        await chown(path, somebody, somebody)
        expect((await start(folder, folder)).code).toBe(0)
        expect(await readdir(cache)).toEqual([])
        await chown(path, 0, 0)
      }
      expect((await start(folder, folder)).code).toBe(0)
      expect(await readdir(cache)).not.toEqual([])
    },
  )

  it.runIf(isRoot)(
    "leaves nothing of root in the home folder of another user, as with sudo",
    async ({ folder }) => {
      await chown(folder, somebody, somebody)
      const { code } = await run(["--version"], { cwd: folder, env: { HOME: folder } })
      expect([code, await readdir(folder)]).toEqual([0, []])
    },
  )

  it("is not needed: the program starts where no folder can be made", async ({ folder }) => {
    const { code, stdout } = await start(folder, "/dev/null")
    expect(code).toBe(0)
    expect(stdout).toContain("USAGE")
  })
})
