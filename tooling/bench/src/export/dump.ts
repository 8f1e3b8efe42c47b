/** Writes the rows for a program that is not ours, in a process of its own. Arguments: rows, the file. */
import { dump } from "./peers/CProgram.ts"
import { prepare } from "./files/records.ts"

const [rows = "", path = ""] = process.argv.slice(2)
dump(prepare(Number(rows)), path)
