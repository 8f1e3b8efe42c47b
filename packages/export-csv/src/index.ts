/** CSV and TSV for tables, written with papaparse. */
export { writer } from "./CsvWriter.ts"
export type { CsvOptions } from "./CsvWriter.ts"
export type { FlavourName } from "./Flavour.ts"
