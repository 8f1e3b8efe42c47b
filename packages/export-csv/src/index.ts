/** CSV and TSV for tables. */
export { writer } from "./CsvWriter.ts"
export type { CsvOptions } from "./CsvWriter.ts"
export type { FlavourName } from "./Format.ts"
