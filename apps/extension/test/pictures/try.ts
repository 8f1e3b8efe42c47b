/**
 * The extension to be tried by hand: an emulator with its listing site, and a browser with the extension in it and a profile of its own. Run
 * by `pnpm --filter @deedkit/extension try`, with `firefox` for the other browser. Ctrl-C, or closing the browser, ends all of it.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { make } from "@deedkit/emulator"
import { listen, listenSite } from "@deedkit/emulator/node"
import * as Browsers from "../e2e/browsers/Browsers.ts"
import { build } from "../e2e/browsers/Build.ts"

const kind = process.argv.includes("firefox") ? Browsers.firefox() : Browsers.chromium()
if (kind.program === undefined) {
  console.error(`${kind.name} is not installed, so there is nothing to try the extension in.`)
  process.exit(1)
}
const emulator = make({ contracts: 2_500 })
const service = await listen(emulator)
const site = await listenSite(emulator)
const extension = await build(kind.target)
const profile = await mkdtemp(join(tmpdir(), "deedkit-profile-"))
const driver = await kind.launch({ profile, isVisible: true })
await driver.install(extension)

const ended = new Promise<void>((resolve) => {
  process.once("SIGINT", resolve)
  process.once("SIGTERM", resolve)
  void driver.gone.then(resolve)
})
await driver.open(`${site.url}/`)
console.log(`${kind.name} is open, with the extension and a listing site. Go through the first steps, in the other tab:

  address of the API   ${service.url}
  API key              ${emulator.apiKey}
  listing site         ${site.url}

Then look at the site again: links to listings with contracts have a badge. Tab to one of them, open one, and look something up
from the extension's button. Other keys to try: ${emulator.secrets.noScopes} (no scopes), ${emulator.secrets.revoked} (revoked).

Ctrl-C ends all of it.`)
await ended
await driver.close()
await service.close()
await site.close()
for (const folder of [profile, dirname(extension)])
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
