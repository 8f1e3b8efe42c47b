/**
 * Signed exports, with keys that OpenSSL made and signatures that OpenSSL checks: by the commands of the guide, read from it. An export that was
 * changed on purpose is found out.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmod, copyFile, readFile, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench, lastJson } from "../../harness/Cli.ts"

const guide = await readFile(join(import.meta.dirname, "..", "..", "..", "README.md"), "utf8")
/** The lines of the guide that call OpenSSL, in their order. */
const openssl = guide.split("\n").filter((line) => line.startsWith("openssl "))

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0
if (!hasOpenssl)
  console.warn("SKIPPED: openssl is not installed, so it makes no keys and checks no signatures.")

const shell = (it: Bench, command: string) =>
  spawnSync("sh", ["-c", command], { cwd: it.folder, encoding: "utf8" })

/** A pair of keys by the guide's commands, and an export that is signed with it. */
const signed = async () => {
  const it = await bench({ contracts: 3 })
  const [makeKey = "", makePublic = ""] = openssl
  expect(shell(it, makeKey).status).toBe(0)
  expect(shell(it, makePublic).status).toBe(0)
  const key = join(it.folder, "office.key")
  const path = join(it.folder, "contracts.csv")
  const args = ["export", "contracts", "--out", path, "--overwrite"]
  const made = await it.call([...args, "--sign", key])
  expect([made.code, made.stderr]).toEqual([
    0,
    expect.stringContaining(`The manifest is signed: ${path}.manifest.json.sig.\n`),
  ])
  const publicKey = join(it.folder, "office.pub")
  const check = (...more: ReadonlyArray<string>) =>
    it.call(["export", "verify", path, "--public-key", publicKey, ...more])
  return { it, key, path, args, publicKey, check }
}

describe.runIf(hasOpenssl)("a signed export", () => {
  it("is checked by the program and by OpenSSL, with the commands of the guide", async () => {
    const { check, it: own } = await signed()
    await using _ = own
    expect(openssl).toHaveLength(3)
    const { code, stderr, stdout } = await check()
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("  signature valid: made with the private key of this public key\n")
    const [, , verify = ""] = openssl
    expect(shell(own, verify)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Verified Success/) as unknown,
    })
    const manifest = join(own.folder, "contracts.csv.manifest.json")
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace("complete", "Complete"))
    expect(shell(own, verify).status).not.toBe(0)
  })

  it("says that its signature was not looked at where no key is given", async () => {
    const { it: own, path } = await signed()
    await using _ = own
    const { code, stdout } = await own.call(["export", "verify", path])
    expect([code, stdout]).toEqual([0, expect.stringContaining("  signed, not checked: ")])
  })

  const attacks: ReadonlyArray<
    readonly [
      what: string,
      attack: (made: Awaited<ReturnType<typeof signed>>) => Promise<unknown>,
      says: RegExp,
    ]
  > = [
    [
      "a cell was changed, and the new hash written into the manifest",
      async ({ path }) => {
        const csv = (await readFile(path, "utf8")).replace("rent", "sale").replace("active", "ended!")
        await writeFile(path, csv)
        const manifestPath = `${path}.manifest.json`
        const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as { files: Array<object> }
        const file = {
          ...manifest.files[0],
          bytes: Buffer.byteLength(csv),
          sha256: createHash("sha256").update(csv).digest("hex"),
        }
        await writeFile(manifestPath, `${JSON.stringify({ ...manifest, files: [file] }, null, 2)}\n`)
      },
      /signature invalid: not of this manifest, or not by this key/,
    ],
    [
      "the account in the manifest was changed",
      async ({ path }) => {
        const manifest = await readFile(`${path}.manifest.json`, "utf8")
        await writeFile(
          `${path}.manifest.json`,
          manifest.replace(/"keyFingerprint": "./, '"keyFingerprint": "x'),
        )
      },
      /signature invalid/,
    ],
    [
      "the signature was taken away",
      async ({ args, it: own }) => own.call([...args, "--quiet"]),
      /signature missing/,
    ],
    [
      "the signature is that of another manifest by the same key",
      async ({ it: own, key, path }) => {
        const other = join(own.folder, "other.csv")
        await own.call(["export", "contracts", "--out", other, "--sign", key, "--quiet"])
        await copyFile(`${other}.manifest.json.sig`, `${path}.manifest.json.sig`)
      },
      /signature invalid: not of this manifest/,
    ],
    [
      "the signature was cut",
      async ({ path }) => truncate(`${path}.manifest.json.sig`, 63),
      /signature invalid: 63 bytes instead of 64/,
    ],
    [
      "the signature is empty",
      async ({ path }) => truncate(`${path}.manifest.json.sig`, 0),
      /signature invalid: 0 bytes instead of 64/,
    ],
    [
      "it was signed with another key",
      async ({ args, it: own }) => {
        execFileSync("openssl", ["genpkey", "-algorithm", "ed25519", "-out", "other.key"], {
          cwd: own.folder,
        })
        await own.call([...args, "--sign", join(own.folder, "other.key"), "--quiet"])
      },
      /signature invalid: .*not by this key/,
    ],
  ]
  for (const [what, attack, says] of attacks) {
    it(`is not believed when ${what}`, async () => {
      const made = await signed()
      await using _ = made.it
      expect((await made.check()).code).toBe(0)
      await attack(made)
      const { code, stderr, stdout } = await made.check()
      expect(code).toBe(10)
      expect(stdout).toMatch(says)
      expect(stderr).toContain("Do not rely on it: it is not what the holder of the key signed.")
      const document = await made.check("--json")
      expect(lastJson(document.stderr)).toMatchObject({ error: "NotVerified", exitCode: 10 })
    })
  }

  it("finds a file that was changed under its own, valid signature", async () => {
    const { check, it: own, path } = await signed()
    await using _ = own
    await writeFile(path, (await readFile(path, "utf8")).replace("rent", "sale"))
    const { code, stdout } = await check()
    expect([code, stdout]).toEqual([10, expect.stringMatching(/differs[^]*signature valid/)])
  })
})

describe("a key that cannot sign", () => {
  it.runIf(hasOpenssl)("is refused before anything is asked for, with the way out", async () => {
    await using it = await bench()
    const path = (name: string) => join(it.folder, name)
    const make = (...args: ReadonlyArray<string>) =>
      execFileSync("openssl", args, { cwd: it.folder, stdio: "ignore" })
    make("genpkey", "-algorithm", "ed25519", "-out", "open.key")
    await chmod(path("open.key"), 0o644)
    make("genpkey", "-algorithm", "ed25519", "-out", "group.key")
    await chmod(path("group.key"), 0o640)
    make("genpkey", "-algorithm", "ed25519", "-aes-256-cbc", "-pass", "pass:secret", "-out", "encrypted.key")
    make("genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:1024", "-out", "rsa.key")
    make("pkey", "-in", "rsa.key", "-pubout", "-out", "rsa.pub")
    make("pkey", "-in", "group.key", "-pubout", "-out", "public.key")
    await writeFile(path("empty.key"), "", { mode: 0o600 })
    await chmod(path("public.key"), 0o600)
    const cases = [
      ["open.key", "Other users can read the key file", "chmod 600"],
      ["group.key", "Other users can read the key file", "chmod 600"],
      ["encrypted.key", "is an encrypted key", "openssl pkey -in KEY -out OTHER"],
      ["rsa.key", "is an RSA key", "openssl genpkey -algorithm ed25519"],
      ["public.key", "is no private key", "openssl genpkey -algorithm ed25519"],
      ["empty.key", "is something else", "openssl genpkey -algorithm ed25519"],
      ["none.key", "There is no key file", "Check --sign"],
    ] as const
    for (const [name, problem, advice] of cases) {
      const args = ["export", "contracts", "--out", path("a.csv"), "--sign", path(name)]
      const { code, stderr, stdout } = await it.call(args)
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(problem)])
      expect(stderr).toContain(advice)
    }
    expect(it.emulator.journal.entries).toHaveLength(0)
    for (const [name, problem] of [
      ["rsa.pub", "is an RSA key"],
      ["group.key", "is a private key"],
      ["none.pub", "There is no key file"],
    ] as const) {
      const { code, stderr } = await it.call(["export", "verify", path("a.csv"), "--public-key", path(name)])
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
    }
  })

  it("is not asked for where there is no manifest to sign", async () => {
    await using it = await bench()
    for (const [more, advice] of [
      [["--out", join(it.folder, "a.csv"), "--no-manifest"], "Leave out --no-manifest."],
      [["--out", "-"], "Add --out FILE."],
    ] as const) {
      const { code, stderr, stdout } = await it.call(["export", "contracts", "--sign", "none.key", ...more])
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(advice)])
    }
    expect(it.emulator.journal.entries).toHaveLength(0)
  })
})

it.runIf(hasOpenssl)("nothing that an export writes or says holds its private key", async () => {
  const { it: own, key, path } = await signed()
  await using _ = own
  const [, secret = ""] = (await readFile(key, "utf8")).split("\n")
  expect(secret.length).toBeGreaterThan(40)
  const bundle = join(own.folder, "bundle.json")
  const args = [
    "export",
    "all",
    "--out",
    `${path}.xlsx`,
    "--sign",
    key,
    "--verbose",
    "--debug-bundle",
    bundle,
  ]
  const { stderr, stdout } = await own.call(args)
  const texts = [stderr, stdout]
  for (const name of await own.files()) {
    if (name !== "office.key") texts.push(await readFile(join(own.folder, name), "latin1"))
  }
  expect(texts.filter((text) => text.includes(secret))).toEqual([])
})
