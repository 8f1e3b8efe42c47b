/**
 * What is handed in at the stores: a zip for each browser and the sources. The sources are unpacked into an empty folder and built there by
 * the reviewer's own two steps; what comes out must be the same bytes. That needs pnpm and the packages of the lockfile, from its store or
 * from the registry. Where they cannot be installed the test is skipped; with DEEDKIT_REQUIRE_REBUILD=1 it fails.
 */
import { createHash } from "node:crypto"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readZip, unpack } from "./Zip.ts"
import * as Zips from "./Zips.ts"

const { names, root, version } = Zips

/** The steps of the notes for reviewers, as arguments of pnpm. */
const install = "install --frozen-lockfile"
const rebuild = "--filter @deedkit/extension zip"

const pnpm = (step: string, cwd: string, ...more: ReadonlyArray<string>) =>
  Zips.run("npx", ["-y", "pnpm@12", ...step.split(" "), ...more], cwd)

const hashesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const zips = (await readdir(folder)).filter((name) => name.endsWith(".zip")).toSorted()
  return Promise.all(
    zips.map(async (name) => {
      const hash = createHash("sha256").update(await readFile(join(folder, name)))
      return `${hash.digest("hex")}  ${name}`
    }),
  )
}

describe("what is handed in at the stores", () => {
  let folder = ""
  const pathsOf = async (name: string): Promise<ReadonlyArray<string>> =>
    (await readZip(join(folder, name))).map(({ path }) => path)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-release-"))
    await Zips.make(folder)
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("has a version that stores take: plain numbers, and not all of them zero", () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(version).toMatch(/[1-9]/)
  })

  it("is a zip for each browser and one of the sources", async () => {
    expect((await readdir(folder)).filter((name) => name.endsWith(".zip")).toSorted()).toEqual(names)
  })

  it.each(names.slice(0, 2))("is all of the extension and nothing more: %s", async (name) => {
    const paths = await pathsOf(name)
    expect(paths).toEqual(
      expect.arrayContaining(["manifest.json", "background.js", "listing.js", "popup.html"]),
    )
    expect(paths.filter((path) => /(?:^|\/)\.|\.(?:map|tsx?|zip)$/.test(path))).toEqual([])
  })

  it("is sources without tests, pictures, output or files that are hidden", async () => {
    const paths = await pathsOf(names[2]!)
    expect(paths).toContain("pnpm-lock.yaml")
    expect(paths).toContain("apps/extension/store/Reviewers.md")
    expect(paths.filter((path) => /(?:^|\/)(?:\.|test\/|docs\/|dist\/|node_modules\/)/.test(path))).toEqual(
      [],
    )
  })

  it("gives a reviewer the two steps that build it", async () => {
    const notes = await readFile(join(root, "store", "Reviewers.md"), "utf8")
    expect(notes).toContain(`npx pnpm@12 ${install}\n`)
    expect(notes).toContain(`npx pnpm@12 ${rebuild}\n`)
  })

  it("comes out of the sources again, byte for byte", async ({ skip }) => {
    const elsewhere = await mkdtemp(join(tmpdir(), "deedkit-reviewer-"))
    try {
      await unpack(join(folder, names[2]!), elsewhere)
      const problem = await pnpm(install, elsewhere, "--prefer-offline")
      if (problem !== null) {
        console.warn(`SKIPPED: the sources could not be installed, so they are not built again: ${problem}`)
        expect(process.env["DEEDKIT_REQUIRE_REBUILD"]).not.toBe("1")
        skip("the sources could not be installed")
      }
      expect(await pnpm(rebuild, elsewhere)).toBeNull()
      expect(await hashesIn(join(elsewhere, "apps", "extension", "dist"))).toEqual(await hashesIn(folder))
    } finally {
      await rm(elsewhere, { recursive: true, force: true })
    }
  }, 300_000)
})
