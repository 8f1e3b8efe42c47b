/** Tests of scenes, in the Chromium of the vitest project. One gallery serves all files of a worker. */
import { describe, inject, test } from "vitest"
import { chromium } from "../../e2e/browsers/Browsers.ts"
import * as Gallery from "../gallery/Gallery.ts"

const { isTested, program } = chromium()

export const it = test.extend("gallery", { scope: "worker" }, async ({}, { onCleanup }) => {
  if (program === undefined)
    throw new Error("Chromium is not installed, and DEEDKIT_REQUIRE_BROWSERS asks for it")
  const gallery = await Gallery.make(program, inject("extension"))
  onCleanup(gallery.close)
  return gallery
})

/** A group of tests that run where Chromium is installed. */
export const lookOver = (name: string, tests: () => void): void => {
  describe.runIf(isTested)(`${name}, in Chromium`, () => {
    tests()
  })
}
