/** The format parquet for tables. */
export { read } from "./ParquetReader.ts"
export { writer } from "./ParquetWriter.ts"
