import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { expect, it, vi } from "vitest"
import * as HomePath from "../../src/terminal/HomePath.ts"

it.each([
  ["~/x.csv", `${homedir()}/x.csv`],
  ["~", homedir()],
  ["--out=~/x.csv", `--out=${homedir()}/x.csv`],
  ["--api-key-file=~/k", `--api-key-file=${homedir()}/k`],
  ["-o=~/x.csv", `-o=${homedir()}/x.csv`],
  ["-o~/x.csv", `-o${homedir()}/x.csv`],
  ["-o", "-o"],
  ["~root/x.csv", "~root/x.csv"],
  ["a~/x.csv", "a~/x.csv"],
  ["./~/x.csv", "./~/x.csv"],
  ["--where=title~/x", "--where=title~/x"],
  ["--where", "--where"],
])("%s is %s", (argument, path) => {
  expect(HomePath.inArgument(argument)).toBe(path)
})

it("takes a backslash after the ~ for a separator on Windows alone", () => {
  const { platform } = process
  expect(HomePath.expand("~\\x.csv")).toBe("~\\x.csv")
  Object.defineProperty(process, "platform", { value: "win32" })
  const [path, argument] = [HomePath.expand("~\\x.csv"), HomePath.inArgument("--out=~\\x.csv")]
  Object.defineProperty(process, "platform", { value: platform })
  expect([path, argument]).toEqual([`${homedir()}\\x.csv`, `--out=${homedir()}\\x.csv`])
})

it("leaves a path as it is for somebody without a home folder", () => {
  vi.stubEnv("HOME", "")
  const paths = [HomePath.expand("~/x.csv"), HomePath.inArgument("--out=~/x.csv")]
  vi.unstubAllEnvs()
  expect(paths).toEqual(["~/x.csv", "--out=~/x.csv"])
})

it.each([
  [resolve("a/b/c.csv"), join("a", "b", "c.csv")],
  [resolve("..a/c.csv"), join("..a", "c.csv")],
  [resolve("../c.csv"), resolve("../c.csv")],
  [resolve("/elsewhere/c.csv"), resolve("/elsewhere/c.csv")],
])("%s is opened here as %s", (path, shown) => {
  expect(HomePath.fromHere(path)).toBe(shown)
})
