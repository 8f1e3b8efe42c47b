/** A second account, by the pages: what is another account's stays apart. */
import { make as makeEmulator } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { expect, onTestFinished } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import { said, seen } from "../Words.ts"

const contracts = 300

scenario("with two accounts", () => {
  it("keeps a second account apart, and changes from one to the other in the popup", async ({ world }) => {
    const { ask, driver, stateWhen } = await world("with-index", { contracts })
    const second = makeEmulator({ contracts: 40, seed: 7 })
    const service = await listen(second)
    onTestFinished(() => service.close())
    const popup = await driver.open(`${driver.origin}/popup.html`)
    await seen(popup, "#")
    const options = await driver.open(`${driver.origin}/options.html#accounts`)
    await options.fill(said("accountNew"), "Second")
    await options.click("button", said("accountAdd"))
    await seen(options, said("accountAdded"))
    await options.click("button", `${said("accountUse")} Second`)
    await stateWhen("the new account", ({ baseUrl }) => baseUrl === null)
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
    // Only the trials of its address, which come with address and key, were without a key that it knows.
    expect(second.journal.entries.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      [401, 401],
    )
    await driver.killBackground()
    expect(await ask({ type: "page.state" })).toMatchObject({ account: first, index: { contracts } })
  })
})
