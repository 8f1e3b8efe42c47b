/** Excel workbooks for tables, written with exceljs. */
export { limits, writer } from "./XlsxWriter.ts"
export type { XlsxOptions } from "./XlsxWriter.ts"
