import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import WorkbookWriter from "#exceljs"

describe("exceljs", () => {
  it("is the version whose members this package relies on", () => {
    const manifest = createRequire(import.meta.url).resolve("exceljs/package.json")
    expect(JSON.parse(readFileSync(manifest, "utf8"))).toMatchObject({ version: "4.4.0" })
  })

  it("has the members that stand in for its zip and its streams", () => {
    const members = ["_openStream", "_finalize", "addThemes", "addOfficeRels", "addWorksheet", "commit"]
    const known = Object.getOwnPropertyNames(WorkbookWriter.prototype)
    expect(known).toEqual(expect.arrayContaining(members))
  })
})

describe("the part of exceljs that is published", () => {
  const folder = mkdtempSync(join(tmpdir(), "deedkit-xlsx-"))
  const file = join(folder, "exceljs.mjs")
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "..", "build.ts"), file])
  const code = readFileSync(file, "utf8")

  it("asks for no module, evaluates no text and needs nothing of Node", () => {
    expect(code).not.toMatch(/\brequire\(|\bimport\s*[("{]|\beval\(|new Function|\bBuffer\b|\bprocess\./)
    expect(code.length).toBeLessThan(200_000)
  })

  it("writes the same workbook as the whole of it", () => {
    const script = `
      import * as whole from "#exceljs"
      const { default: Part } = await import(${JSON.stringify(file)})
      const textOf = async (Writer) => {
        const texts = new Map()
        class Collecting extends Writer {
          _openStream(path) {
            const put = (chunk) => texts.set(path, (texts.get(path) ?? "") + (typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk.toBuffer())))
            return { write: put, end() {}, pause() {}, on() {} }
          }
          _finalize() {}
        }
        const book = new Collecting({ useStyles: true, created: new Date(0), creator: "a", lastModifiedBy: "b" })
        book.zip = { append: (text, { name }) => texts.set(name, text) }
        const sheet = book.addWorksheet("Sheet", { views: [{ state: "frozen", ySplit: 1 }] })
        sheet.columns = [{ width: 20 }]
        const row = sheet.addRow(["a & <b> ακή 🏠"])
        row.getCell(1).style = { font: { bold: true }, numFmt: "0" }
        row.commit()
        sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 2, column: 1 } }
        sheet.addConditionalFormatting({ ref: "A2:A3", rules: [{ type: "cellIs", operator: "equal", priority: 1, formulae: ['"x"'], style: { font: { color: { argb: "FF14532D" } } } }] })
        sheet.commit()
        await book.commit()
        return JSON.stringify([...texts].sort())
      }
      const [one, other] = [await textOf(whole.default), await textOf(Part)]
      process.stdout.write(one === other && one.length > 5000 ? "the same" : one + "\\n" + other)
    `
    const output = execFileSync(
      process.execPath,
      ["--conditions=@deedkit/source", "--input-type=module", "-e", script],
      { cwd: join(import.meta.dirname, "..", ".."), encoding: "utf8" },
    )
    rmSync(folder, { recursive: true })
    expect(output).toBe("the same")
  })
})
