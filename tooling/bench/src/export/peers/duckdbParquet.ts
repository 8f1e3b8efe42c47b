/**
 * The same Parquet file by DuckDB, in a separate process, on one thread. The table is in memory before the clock starts. Arguments: the contracts as
 * NDJSON, the file to write.
 */
import { statSync } from "node:fs"
import { DuckDBInstance } from "@duckdb/node-api"
import { start } from "../../measure/Meter.ts"

const [source = "", path = ""] = process.argv.slice(2)
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
await connection.run(`create table contracts as from read_json(${literal(source)})`)
const counted = await connection.runAndReadAll("select count(*)::integer from contracts")

const meter = start()
await connection.run(
  `copy contracts to ${literal(path)} (format parquet, compression zstd, compression_level 3, row_group_size 20480)`,
)
meter.print({ records: Number(counted.getRowsJson()[0]?.[0]), bytes: statSync(path).size })
