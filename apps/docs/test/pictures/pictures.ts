/**
 * `pnpm pictures`: takes the pictures of the documents again, from the programs as they are. Files are exported from the emulator, printed by LibreOffice,
 * and the beginning of a page is kept by poppler's `pdftoppm`; the extension's own command takes its pages in Chromium.
 */
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"

const execute = promisify(execFile)
const root = join(import.meta.dirname, "../../../..")
const source = "--conditions=@deedkit/source"
const folder = mkdtempSync(join(tmpdir(), "deedkit-pictures-"))
const emulator = make()
const server = await listen(emulator)

/** Prints a file that an export writes, and keeps the beginning of its first page: `height` pixels of a page that is 1,100 to 1,300 wide. */
const picture = async (path: string, file: string, words: string, height: number): Promise<void> => {
  const env = {
    ...process.env,
    DEEDKIT_BASE_URL: server.url,
    DEEDKIT_API_KEY: emulator.apiKey,
    TZ: "UTC",
    HOME: folder,
  }
  const program = [
    source,
    join(root, "apps/cli/src/bin.ts"),
    "export",
    ...words.split(" "),
    "--lang",
    "en",
    "--out",
    file,
  ]
  await execute(process.execPath, program, { cwd: folder, env })
  // A CSV file is read with commas, quotes and UTF-8, and not as the machine's settings are.
  const filter = file.endsWith(".csv") ? ["--infilter=CSV:44,34,76"] : []
  await execute("soffice", ["--headless", ...filter, "--convert-to", "pdf", file], { cwd: folder, env })
  const page = ["-png", "-singlefile", "-r", "110", "-x", "0", "-y", "0", "-W", "1300", "-H", String(height)]
  await execute("pdftoppm", [...page, file.replace(/\.\w+$/, ".pdf"), join(root, path)], { cwd: folder })
  process.stdout.write(`${path}.png\n`)
}

const csv = "contracts --for excel --columns id,status,unit_label,listing.title,listing.city"
await picture("packages/export-xlsx/docs/cover", "cover.xlsx", "report", 900)
await picture("packages/export-xlsx/docs/contracts", "contracts.xlsx", "contracts", 600)
await picture("packages/export-xlsx/docs/keys", "keys.xlsx", "keys", 390)
await picture("packages/export-csv/docs/excel-flavour", "excel.csv", csv, 460)
await server.close()
rmSync(folder, { recursive: true, force: true })
spawnSync(process.execPath, [source, "test/pictures/pictures.ts"], {
  cwd: join(root, "apps/extension"),
  stdio: "inherit",
})
