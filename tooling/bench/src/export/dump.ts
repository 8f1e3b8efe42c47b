/** Writes the rows for an external program, in a separate process. Arguments: rows, the file. */
import { dump } from "./peers/CProgram.ts"
import { prepare } from "./files/records.ts"

const [rows = "", path = ""] = process.argv.slice(2)
dump(prepare(Number(rows)), path)
