import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

const canMount =
  process.platform === "linux" && spawnSync("unshare", ["-m", "true"], { stdio: "ignore" }).status === 0
if (!canMount) console.warn("SKIPPED: this user may mount nothing, so no server with two addresses is tried.")

/** Takes no connection in its first 0.8 seconds: the first packet of one that is opened then is lost, and sent again after a second. */
const server = `
  const { createServer } = require("node:net")
  const answer = "HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}"
  const listening = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer)))
  listening.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(listening.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
  })
`

const client = `
  import { spawn } from "node:child_process"
  import { once } from "node:events"
  import { connect } from "node:net"
  import { make } from "@deedkit/core/node"
  const server = spawn(process.execPath, ["--eval", process.env.SERVER], { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = await once(server.stdout, "data")
  const others = Array.from({ length: 4 }, () => connect(Number(port), "127.0.0.1").on("error", () => {}))
  await once(others[0], "connect")
  const limits = { connectMillis: 10_000, idleMillis: 10_000, maxBodyBytes: 1_000 }
  const request = { url: "http://localhost:" + port + "/v1/me/", method: "GET", headers: {}, ...limits }
  const { status } = await make().send(request, { onCancel: () => {} }).catch(({ code }) => ({ status: code }))
  console.log(status)
  server.kill()
  process.exit()
`

it.skipIf(!canMount)("a slow connection to the first of two addresses is waited for", () => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-hosts-"))
  const hosts = join(folder, "hosts")
  writeFileSync(hosts, "127.0.0.1 localhost\n127.0.0.2 localhost\n")
  const command = `mount --bind "$1" /etc/hosts && exec "$2" --conditions=@deedkit/source --input-type=module --eval "$3"`
  const args = ["-m", "sh", "-c", command, "sh", hosts, process.execPath, client]
  const { stdout } = spawnSync("unshare", args, {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
    env: { ...process.env, SERVER: server },
  })
  rmSync(folder, { recursive: true })
  expect(stdout.trim()).toBe("200")
})
