/** `--pdf`: the workbooks of an export, printed by LibreOffice to PDFs beside them. */
import { spawn } from "node:child_process"
import { access, constants, copyFile, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, isAbsolute, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { toggle } from "../command/SharedFlags.ts"
import type { CommandError } from "../command/Subcommand.ts"
import * as Catalogue from "../failure/Catalogue.ts"
import type { Failure } from "../failure/Failure.ts"
import { storeError, usageError, whyNotWritten } from "../failure/Failure.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"
import { bytes } from "../terminal/Figures.ts"
import { fromHere } from "../terminal/HomePath.ts"
import { clean } from "../terminal/TerminalText.ts"
import type { FormatTarget } from "./Formats.ts"
import * as OutName from "./OutName.ts"

export const pdf = toggle("pdf", "Also print the workbook to a PDF beside it, which needs LibreOffice")

const ending = /\.xlsx$/i
const workbooksOf = (files: ReadonlyArray<string>) => files.filter((file) => ending.test(file))
const pdfOf = (workbook: string): string => workbook.replace(ending, ".pdf")

/** The PDFs of those files that are workbooks. */
export const pathsOf = (files: ReadonlyArray<string>): ReadonlyArray<string> => workbooksOf(files).map(pdfOf)

const isProgram = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    ),
  )

/** Where LibreOffice's installers put it on systems that do not add it to the search path. */
const installed = [
  "/Applications/LibreOffice.app/Contents/MacOS/soffice",
  "C:\\Program Files\\LibreOffice\\program\\soffice.com",
]

/** The path of LibreOffice. Fails if it is not installed. */
const findOffice: Effect.Effect<string, Failure, Environment> = Effect.gen(function* () {
  const { searchPath } = yield* Environment
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder))
  const names = process.platform === "win32" ? ["soffice.com", "soffice.exe"] : ["soffice", "libreoffice"]
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  for (const program of [...onPath, ...installed.filter(isAbsolute)]) {
    if (yield* isProgram(program)) return program
  }
  return yield* usageError(
    "--pdf prints by LibreOffice, and there is no soffice on the search path",
    "Install LibreOffice, or leave out --pdf and print the workbook from any spreadsheet program.",
  )
})

/** Fails if a PDF of those files that are workbooks would be replaced, and may not be. */
export const checkFree = (
  files: ReadonlyArray<string>,
  { overwrite }: { readonly overwrite: boolean },
): Effect.Effect<void, CommandError> => (overwrite ? Effect.void : OutName.checkFree(pathsOf(files)))

/** Fails if there is nothing to print or nothing to print it by, or if a PDF is in the way. Creates nothing. */
export const check = Effect.fnUntraced(function* (
  targets: ReadonlyArray<FormatTarget>,
  choices: { readonly overwrite: boolean },
): Effect.fn.Return<void, CommandError, Environment> {
  const workbooks = targets.flatMap(({ format, target }) => (format === "xlsx" ? [target] : []))
  if (workbooksOf(workbooks).length === 0)
    return yield* usageError(
      "--pdf prints workbooks, and no file of --out ends in .xlsx",
      "Name one: --out report.xlsx.",
    )
  yield* findOffice
  yield* checkFree(workbooks, choices)
})

/** How long what a program says in its errors is waited for when it has ended. */
const graceMillis = 500

/**
 * Runs a program with all that it starts in a group of their own, and ends all of them if it is interrupted; on Windows the program alone. Gives what
 * it says in its errors.
 */
const run = (
  program: string,
  args: ReadonlyArray<string>,
  env: Variables["forPrograms"],
): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const isGroup = process.platform !== "win32"
    const child = spawn(program, args, {
      detached: isGroup,
      env,
      windowsHide: true,
      stdio: ["ignore", "ignore", "pipe"],
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(0, 2_000)))
    child.once("error", ({ message }) => resume(Effect.succeed(message)))
    child.once("close", () => resume(Effect.succeed(said)))
    // What it leaves behind may hold the pipe of its errors open.
    child.once("exit", () => void setTimeout(() => child.stderr.destroy(), graceMillis))
    return Effect.sync(() => {
      if (!isGroup || child.pid === undefined) return void child.kill("SIGKILL")
      try {
        process.kill(-child.pid, "SIGKILL")
      } catch {
        // It has ended by itself.
      }
    })
  })

const notPrinted = (path: string, problem: string): Failure =>
  storeError({
    kind: "failed",
    path,
    problem: `${clean(fromHere(path))} was not printed: ${problem}`,
    advice: "The workbook is written, and can be printed from any spreadsheet program.",
  })

interface PrintOptions {
  readonly overwrite: boolean
  /** Time limit for each workbook. */
  readonly minutes: number
}

/** Prints the workbook to `path`, and gives the size of the PDF in bytes. */
const print = (
  workbook: string,
  path: string,
  { minutes, office, overwrite }: PrintOptions & { readonly office: string },
): Effect.Effect<number, CommandError, Environment> =>
  Effect.gen(function* () {
    const onDisk = <A>(work: () => Promise<A>) =>
      Effect.tryPromise({ try: work, catch: (cause) => notPrinted(path, whyNotWritten(cause)) })
    const folder = yield* Effect.acquireRelease(
      // A snap sees a temporary folder of its own, and none whose name begins with a dot.
      onDisk(() => mkdtemp(join(office.includes("/snap/") ? dirname(workbook) : tmpdir(), "deedkit-pdf-"))),
      (own) => Effect.promise(() => rm(own, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})),
    )
    // LibreOffice locks what it opens by a file beside it.
    const copy = join(folder, "workbook.xlsx")
    yield* onDisk(() => copyFile(workbook, copy))
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`
    const args = [profile, "--headless", "--norestore", "--convert-to", "pdf", "--outdir", folder, copy]
    const { forPrograms } = yield* Environment
    const said = yield* run(office, args, forPrograms).pipe(Effect.timeoutOption(`${minutes} minutes`))
    if (Option.isNone(said))
      return yield* notPrinted(path, `LibreOffice did not end within ${minutes} minutes`)
    // It ends with 0 also where it prints nothing.
    const printed = yield* Effect.promise(() => readFile(join(folder, "workbook.pdf")).catch(() => null))
    if (printed === null || !printed.subarray(-8).includes("%%EOF"))
      return yield* notPrinted(
        path,
        `LibreOffice made no PDF (${clean(said.value.trim()) || "it said nothing"})`,
      )
    const { writeFile } = yield* Effect.promise(() => import("@deedkit/export/run"))
    yield* writeFile({ target: path, overwrite, content: (write) => write(printed) }).pipe(
      Effect.mapError(({ reason }) => notPrinted(path, Catalogue.ofExport(reason).headline)),
    )
    return printed.byteLength
  }).pipe(Effect.scoped)

/** Prints those files that are workbooks, and says what it has written. */
export const printAll = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  { minutes = 10, overwrite }: Omit<PrintOptions, "minutes"> & Partial<PrintOptions>,
  { note, terminal }: Pick<SourceSession, "note" | "terminal">,
): Effect.fn.Return<void, CommandError, Environment> {
  const office = yield* findOffice
  for (const workbook of workbooksOf(files)) {
    const path = pdfOf(workbook)
    const name = clean(fromHere(path))
    terminal.live(`Printing ${name}`)
    const size = yield* print(workbook, path, { minutes, office, overwrite }).pipe(
      Effect.ensuring(Effect.sync(() => terminal.live(null))),
    )
    note(`${name}: ${bytes(size)}.`)
  }
})
