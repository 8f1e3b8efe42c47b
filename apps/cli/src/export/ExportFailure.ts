/** The message of an unfinished export: the state of its files, and how to resume it. Pure. */
import { basename } from "node:path"
import type { FileState } from "@deedkit/export/run"
import { count, listed } from "../terminal/Figures.ts"
import { clean } from "../terminal/TerminalText.ts"

export interface Unfinished {
  readonly files: ReadonlyArray<FileState>
  /** Whether part of the export went to standard output. */
  readonly isPiped: boolean
  /** Number of pages that are saved for resuming. */
  readonly pages: number
  /** The command that resumes the export. */
  readonly resume: string
}

const ends: { readonly [State in FileState["state"]]: (names: string, isOne: boolean) => string } = {
  absent: (names, isOne) => `${names} ${isOne ? "was" : "were"} not written.`,
  kept: (names, isOne) => `${names} ${isOne ? "was" : "were"} not replaced.`,
  written: (names, isOne) => `${names} ${isOne ? "is" : "are"} written.`,
}

const fileWords = (files: ReadonlyArray<FileState>): ReadonlyArray<string> =>
  (["written", "kept", "absent"] as const).flatMap((state) => {
    const names = files.filter((file) => file.state === state).map(({ path }) => clean(basename(path)))
    return names.length === 0 ? [] : [ends[state](listed(names), names.length === 1)]
  })

/** Two lines if the export can be resumed, otherwise one. */
export const words = ({ files, isPiped, pages, resume }: Unfinished): string =>
  [
    ...(isPiped ? ["The output is not complete."] : []),
    ...fileWords(files),
    ...(pages === 0 ? [] : [`${count(pages, "page is", "pages are")} saved. To resume:\n  ${resume}`]),
  ].join(" ")
