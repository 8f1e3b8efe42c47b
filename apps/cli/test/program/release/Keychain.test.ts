import { expect, it } from "vitest"
import { bench } from "../../harness/Cli.ts"
import { hungBus } from "../../harness/HungBus.ts"

it.runIf(process.platform === "linux")(
  "a keychain whose session bus does not answer is waited for ten seconds, and the message names the alternatives",
  async () => {
    await using bus = await hungBus()
    await using it = await bench()
    const before = performance.now()
    const ended = await it.run(["auth", "login", "--base-url", it.url, "--with-key"], {
      stdin: it.emulator.apiKey,
      env: {
        DBUS_SESSION_BUS_ADDRESS: bus.address,
        DEEDKIT_BASE_URL: undefined,
        DEEDKIT_API_KEY: undefined,
      },
    })
    expect(ended).toMatchObject({
      code: 10,
      stderr: expect.stringMatching(/did not answer within 10 seconds.*--key-file/s),
    })
    expect(performance.now() - before).toBeLessThan(20_000)
    await bus.left()
  },
  60_000,
)
