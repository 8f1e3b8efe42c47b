/** The lock and a second account, by the pages alone: what is locked shows nothing anywhere, and what is another account's stays apart. */
import { make as makeEmulator } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { expect, onTestFinished } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { said, seen, textOf } from "../Words.ts"
import type { World } from "../World.ts"

const contracts = 300
const passphrase = "correct horse battery"

scenario("with a lock and accounts", () => {
  const badges = ({ page, site }: World, count: (badges: number) => boolean) =>
    until(
      "badges",
      () => Marks.look(page, `${site}/`),
      (marks) => count(marks.badges.length),
    )

  it("shows nothing while it is locked, makes a wrong passphrase wait, and opens for the right one", async ({
    world,
  }) => {
    const here = await world("with-index", { contracts })
    const { ask, driver, site } = here
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, "#")
    const visited = await driver.open(`${site}/`)
    await visited.resize(1280, 3000)
    await badges(here, (shown) => shown > 10)
    const options = await driver.open(`${driver.origin}/options.html`)
    await options.fill(said("passphraseAgain"), passphrase)
    await options.fill(said("passphraseNext"), passphrase)
    await options.click("button", said("passphraseSet"))
    await seen(options, said("lockAfter"))
    await options.click("button", said("lockNow"))
    await seen(options, said("lockedBody"))
    await seen(popup, said("lockedBody"))
    expect(await textOf(popup)).not.toContain("#")
    await badges(here, (shown) => shown === 0)
    expect(await ask({ type: "page.state" })).toMatchObject({ index: { contracts: 0 }, baseUrl: null })
    expect((await ask({ type: "page.search", text: "", counts: false, limit: 5 })) ?? null).toBeNull()

    await driver.killBackground()
    await popup.fill(said("passphraseLabel"), "not the passphrase")
    await popup.click("button", said("unlock"))
    await seen(popup, said("errorPassphrase"))
    await driver.killBackground()
    // An attempt that is refused because it comes too soon does not count.
    let soon: unknown
    await until(
      "a wait of seconds",
      async () => {
        soon = await ask({ type: "page.unlock", passphrase: "not the passphrase" })
        return Date.parse((await ask({ type: "page.state" })).lock.waitUntil ?? "") - Date.now()
      },
      (millis) => millis > 2_500,
    )
    const waited = await ask({ type: "page.unlock", passphrase })
    expect(waited).toMatchObject({ _tag: "UserError" })
    expect(soon).toMatchObject({ _tag: "UserError" })

    await until(
      "no wait any more",
      () => ask({ type: "page.state" }),
      ({ lock }) => lock.waitUntil === null,
    )
    await until(
      "the button",
      () => popup.has("button", said("unlock")),
      (isThere) => isThere,
    )
    await popup.fill(said("passphraseLabel"), passphrase)
    await popup.click("button", said("unlock"))
    await seen(popup, "#")
    expect(await ask({ type: "page.state" })).toMatchObject({
      index: { contracts },
      connection: { _tag: "Ready" },
    })
    // Marks are drawn where they are seen, which is not behind the popup's tab.
    await visited.show()
    await badges(here, (shown) => shown > 10)
  })

  it("keeps a second account apart, and changes from one to the other in the popup", async ({ world }) => {
    const { ask, driver, stateWhen } = await world("with-index", { contracts })
    const second = makeEmulator({ contracts: 40, seed: 7 })
    const service = await listen(second)
    onTestFinished(() => service.close())
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, "#")
    const options = await driver.open(`${driver.origin}/options.html`)
    await options.fill(said("accountNew"), "Second")
    await options.click("button", said("accountAdd"))
    await seen(options, said("accountAdded"))
    await ask({ type: "page.setAddress", baseUrl: service.url })
    await ask({ type: "page.setKey", key: second.apiKey })
    const isSynced = (count: number) =>
      stateWhen(
        `${count} contracts`,
        ({ index, sync }) => index.contracts === count && index.completedAt !== null && sync._tag === "Idle",
      )
    const { accounts } = await isSynced(40)
    expect(accounts.map(({ name }) => name)).toEqual(["", "Second"])
    await seen(popup, "40")
    await popup.fill(said("searchLabel"), "")
    const first = accounts[0]!.id
    const choose = (id: string) =>
      popup.evaluate((id) => {
        const choice = document.querySelector<HTMLSelectElement>(".account-choice select")
        if (choice === null) return false
        choice.value = id
        return choice.dispatchEvent(new Event("change", { bubbles: true }))
      }, id)
    await until(
      "the choice of the account",
      () => choose(first),
      (isMade) => isMade,
    )
    await isSynced(contracts)
    await seen(popup, String(contracts))
    expect(second.journal.entries.every(({ status }) => status === 200)).toBe(true)
    await driver.killBackground()
    expect(await ask({ type: "page.state" })).toMatchObject({ account: first, index: { contracts } })
  })
})
