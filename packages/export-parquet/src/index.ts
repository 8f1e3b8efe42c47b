/** Parquet for tables, written with hyparquet-writer. */
export { writer } from "./ParquetWriter.ts"
export type { ParquetOptions } from "./ParquetWriter.ts"
