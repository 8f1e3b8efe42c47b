// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import { ExportPage } from "../../../src/ui/export/ExportPage.tsx"
import type { StartWorker } from "../../../src/ui/export/Worker.ts"
import { locked } from "../gallery/LockScenes.ts"
import * as Facts from "./Facts.ts"

const { full } = Desk
const workers = Facts.make()

/** The accounts whose records workers were to read. */
const accounts: Array<string | undefined> = []
const startWorker: StartWorker = (onNotice, onBroken, account) => {
  accounts.push(account)
  return workers.start(onNotice, onBroken)
}

afterEach(Desk.tidy)

describe("the export page", () => {
  it("reads the records of the account in use, and gives a file up when it is locked meanwhile", async () => {
    const page = h(ExportPage, { madeBy: "Deedkit extension 0.0.0", startWorker, copy: async () => {} })
    const desk = await Desk.mount({ ...full, account: "second" }, page)
    await Desk.press("Export file")
    expect(accounts).toEqual([undefined, "second"])
    expect(workers.running()).toBe(1)
    await desk.set(locked)
    await Desk.settle()
    expect(workers.running()).toBe(0)
    expect(document.querySelector(".export-form, .export-outcome")).toBeNull()
    expect(Desk.words()).toContain("Enter your passphrase to see your contracts.")
  })
})
