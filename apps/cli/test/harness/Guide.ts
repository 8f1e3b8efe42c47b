/**
 * The console blocks of a guide, to be run as its reader would. Figures that differ from run to run (times of day, addresses, ages in days) are
 * compared by their form, sizes of workbooks within 1 kB; a line of `...` stands for any lines.
 */
import { spawn } from "node:child_process"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { program } from "./Cli.ts"

export interface Example {
  readonly command: string
  readonly output: ReadonlyArray<string>
}

/** The commands of a guide and what it shows of their output. */
export const examplesIn = (guide: string): ReadonlyArray<Example> =>
  [...guide.matchAll(/^```console\n([^]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = "", ...output] = text.trimEnd().split("\n")
        return { command, output }
      }),
  )

/** A line without what differs from run to run, and without the dates and zones that times have in a file. */
export const plain = (line: string): string =>
  line
    .replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d /, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b\d{4}-\d\d-\d\d (\d\d:\d\d:\d\d(?:-\d\d:\d\d:\d\d)?) [+-]\d\d:\d\d/g, "$1")
    .replaceAll(/\d\d:\d\d:\d\d/g, "CLOCK")
    .replaceAll(/\b\d{4}-\d\d-\d\d$/g, "TODAY")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+|https:\/\/api\.example\.com/g, "ADDRESS")
    .replaceAll(/\bkey [\da-f]{16}\b/g, "key FINGERPRINT")
    .replaceAll(/\b\d+ days\b/g, "DAYS")
    .replaceAll(/ {2,}/g, "  ")
    .trimEnd()

/** The words of a command line, quotes taken off. */
const words = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "")

const size = /\b\d+ kB\b/g

/** Whether a line is the one that the guide shows. The size of a workbook may differ by 1 kB: its times of day take more or less room in it. */
const sameLine = (wanted: string, got: string): boolean => {
  const most = wanted.includes(".xlsx") ? 1 : 0
  const sizes = [wanted, got].map((line) => [...line.matchAll(size)].map(([text]) => parseInt(text)))
  return (
    wanted.replaceAll(size, "SIZE") === got.replaceAll(size, "SIZE") &&
    sizes[0]!.every((each, at) => Math.abs(each - sizes[1]![at]!) <= most)
  )
}

/** Whether lines are those that the guide shows. */
export const matches = (wanted: ReadonlyArray<string>, got: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = wanted
  if (first === undefined) return got.length === 0
  if (first === "...") return got.some((_, at) => matches(rest, got.slice(at))) || matches(rest, [])
  return got[0] !== undefined && sameLine(first, got[0]) && matches(rest, got.slice(1))
}

/** Runs a command in a folder, which is its home, with both streams in one file, as on a screen. */
export const show = async (
  folder: string,
  command: string,
  env: object = {},
): Promise<ReadonlyArray<string>> => {
  const path = join(folder, ".screen")
  const screen = await open(path, "w")
  const args = words(command).map((word) => word.replace(/^~/, folder))
  const child = spawn(process.execPath, [program, ...args.slice(1)], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, ".config"),
      TZ: "UTC",
      ...env,
    },
    stdio: ["ignore", screen.fd, screen.fd],
  })
  await new Promise((resolve) => child.once("close", resolve))
  await screen.close()
  const text = (await readFile(path, "utf8")).replaceAll(folder, "~").trimEnd()
  return text === "" ? [] : text.split("\n")
}
