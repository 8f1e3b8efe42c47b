/** The part of exceljs that is used: its entry without streams and readers, by its published types. */
declare module "#exceljs" {
  import type { Workbook } from "exceljs"

  const exceljs: { readonly Workbook: typeof Workbook }
  export default exceljs
}
