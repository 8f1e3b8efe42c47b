/** `pnpm dev`: its options, and its end. The profile lasts as long as the browser. Ctrl-C, or closing the browser, ends everything and leaves nothing. */
import * as Browsers from "../browsers/Browsers.ts"
import * as Development from "./Development.ts"

const options = ["--firefox", "--headless"]
const given = process.argv.slice(2)

const stop = new AbortController()
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort())

const dev = async (ends: AsyncDisposableStack): Promise<void> => {
  const development = await Development.open(ends, {
    kind: given.includes("--firefox") ? Browsers.firefox() : Browsers.chromium(),
    isVisible: !given.includes("--headless"),
    signal: stop.signal,
    print: console.log,
    printError: console.error,
  })
  void development.driver.gone.then(() => stop.abort())
  for (;;) await development.next()
}

const unknown = given.find((option) => !options.includes(option))
if (unknown === undefined) {
  await using ends = new AsyncDisposableStack()
  await dev(ends).catch((cause: Error) => {
    if (stop.signal.aborted) return
    console.error(cause.message)
    process.exitCode = 1
  })
} else {
  console.error(`Unknown option ${unknown}. The options are ${options.join(" and ")}.`)
  process.exitCode = 1
}
