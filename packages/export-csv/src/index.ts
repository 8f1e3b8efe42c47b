/** CSV and TSV for tables, written and read with papaparse. */
export { read } from "./CsvReader.ts"
export type { CsvTable } from "./CsvReader.ts"
export { writer } from "./CsvWriter.ts"
export type { CsvOptions } from "./CsvWriter.ts"
export type { FlavourName } from "./Flavour.ts"
