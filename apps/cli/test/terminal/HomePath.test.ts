import { homedir } from "node:os"
import { expect, it } from "vitest"
import * as HomePath from "../../src/terminal/HomePath.ts"

it.each([
  ["~/x.csv", `${homedir()}/x.csv`],
  ["~", homedir()],
  ["--out=~/x.csv", `--out=${homedir()}/x.csv`],
  ["--api-key-file=~/k", `--api-key-file=${homedir()}/k`],
  ["~root/x.csv", "~root/x.csv"],
  ["a~/x.csv", "a~/x.csv"],
  ["./~/x.csv", "./~/x.csv"],
  ["--where=title~/x", "--where=title~/x"],
  ["--where", "--where"],
])("%s is %s", (argument, path) => {
  expect(HomePath.inArgument(argument)).toBe(path)
})
