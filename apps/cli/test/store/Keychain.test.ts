import { describe, expect, it } from "vitest"
import { bench } from "../harness/Cli.ts"
import { hungBus } from "../harness/HungBus.ts"

describe.runIf(process.platform === "linux")("a keychain whose session bus does not answer", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("is left at %s, and nothing of the program stays behind", async (signal, code) => {
    await using bus = await hungBus()
    await using it = await bench()
    const args = ["auth", "login", "--base-url", it.url, "--with-key"]
    const ended = await it.run(args, {
      stdin: it.emulator.apiKey,
      env: {
        DBUS_SESSION_BUS_ADDRESS: bus.address,
        DEEDKIT_BASE_URL: undefined,
        DEEDKIT_API_KEY: undefined,
      },
      onStart: (child) => void bus.connected.then(() => child.kill(signal)),
    })
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining("Interrupted.")])
    await bus.left()
  })

  it("is understood where NODE_OPTIONS loads a module that prints", async () => {
    await using it = await bench()
    const { code, stderr } = await it.run(["auth", "login", "--base-url", it.url, "--with-key"], {
      stdin: it.emulator.apiKey,
      env: {
        DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
        DEEDKIT_BASE_URL: undefined,
        DEEDKIT_API_KEY: undefined,
        NODE_OPTIONS: "--import=data:text/javascript,console.log(1)",
      },
    })
    expect([code, stderr]).toEqual([
      10,
      expect.stringMatching(/^The keychain of this machine cannot be used/),
    ])
  })

  it("keeps no process that the program has started, once the program is killed", async () => {
    await using bus = await hungBus()
    await using it = await bench()
    const ended = await it.run(["auth", "login", "--base-url", it.url, "--with-key"], {
      stdin: it.emulator.apiKey,
      env: {
        DBUS_SESSION_BUS_ADDRESS: bus.address,
        DEEDKIT_BASE_URL: undefined,
        DEEDKIT_API_KEY: undefined,
      },
      onStart: (child) => void bus.connected.then(() => child.kill("SIGKILL")),
    })
    expect(ended.stderr).toBe("")
    await bus.left()
  })
})
