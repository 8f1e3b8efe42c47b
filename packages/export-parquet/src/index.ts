/** Parquet for tables, written with hyparquet-writer and read with hyparquet. */
export { read } from "./ParquetReader.ts"
export type { ParquetTable } from "./ParquetReader.ts"
export { writer } from "./ParquetWriter.ts"
export type { ParquetOptions } from "./ParquetWriter.ts"
