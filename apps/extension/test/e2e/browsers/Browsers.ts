/**
 * Which of the two browsers are on this machine. Tests of a missing browser are skipped; with DEEDKIT_REQUIRE_BROWSERS=1 they fail.
 */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Chromium from "./Chromium.ts"
import type { Driver, LaunchOptions } from "./Driver.ts"
import * as Firefox from "./Firefox.ts"

export interface BrowserKind {
  readonly name: "Chromium" | "Firefox"
  /** As the build names it. */
  readonly target: "chrome" | "firefox"
  /** The program; undefined when there is none. */
  readonly program: string | undefined
  /** False when its tests are to be left out; without a program they fail otherwise. */
  readonly isTested: boolean
  readonly launch: (options: LaunchOptions) => Promise<Driver>
}

const isRequired = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1"

const kind = (
  name: BrowserKind["name"],
  target: BrowserKind["target"],
  programs: ReadonlyArray<string>,
  start: (program: string, options: LaunchOptions) => Promise<Driver>,
): BrowserKind => {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const program = programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  const isTested = isRequired || program !== undefined
  const launch: BrowserKind["launch"] = async (options) => {
    if (program === undefined) throw new Error(`${name} is not installed: none of ${programs.join(", ")}`)
    return start(program, options)
  }
  return { name, target, program, isTested, launch }
}

export const chromium = (): BrowserKind =>
  kind("Chromium", "chrome", Chromium.programs, (program, options) => Chromium.launch(program, options))

export const firefox = (): BrowserKind =>
  kind("Firefox", "firefox", Firefox.programs, (program, options) => Firefox.launch(program, options))

/** The browser that a build is for. */
export const forTarget = (target: BrowserKind["target"]): BrowserKind =>
  target === "firefox" ? firefox() : chromium()
