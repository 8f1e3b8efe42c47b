/** Key files as containers mount them: readable for everybody, on a disk that nobody can write. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"
import { bench, program } from "../harness/Cli.ts"

const canMount =
  process.platform === "linux" && spawnSync("unshare", ["-m", "true"], { stdio: "ignore" }).status === 0
if (!canMount) console.warn("SKIPPED: this user may mount nothing, so no secret of a container is tried.")

it.skipIf(!canMount).each([
  ["ro", 0, /account/],
  ["rw", 2, /Other users can read the key file .*chmod 600/],
])("a key file of mode 444 on a disk that is mounted %s", async (options, code, says) => {
  await using office = await bench()
  const secrets = join(office.folder, "secrets")
  await mkdir(secrets)
  const key = join(secrets, "key")
  const script = `mount -t tmpfs tmpfs '${secrets}' && printf %s "$KEY" > '${key}' && chmod 444 '${key}' &&
    mount -o remount,${options} '${secrets}' && unset KEY && exec "$@"`
  const command = [process.execPath, program, "me"]
  const child = spawn("unshare", ["-m", "sh", "-c", script, "sh", ...command], {
    env: {
      PATH: process.env["PATH"],
      HOME: office.folder,
      KEY: office.emulator.apiKey,
      DEEDKIT_BASE_URL: office.url,
      DEEDKIT_API_KEY_FILE: key,
    },
  })
  const [said, [ended]] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, "close"),
  ])
  expect(said.join("")).toMatch(says)
  expect(ended).toBe(code)
})
