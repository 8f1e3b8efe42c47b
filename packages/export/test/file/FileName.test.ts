import { expect, it } from "vitest"
import { pathsOf } from "../../src/run/OutputFiles.ts"

const csv = { extensions: ["csv"], sheets: "one" } as const
const packed = { extensions: ["csv.gz"], sheets: "one" } as const
const xlsx = { extensions: ["xlsx"], sheets: "many" } as const
const all = ["contracts", "keys", "summary"]

it.each([
  [csv, "a.csv", ["contracts"], ["a.csv"]],
  [csv, "{table}.csv", ["contracts"], ["contracts.csv"]],
  [csv, "{table}/{table}.csv", ["contracts"], ["contracts/contracts.csv"]],
  [csv, "a.csv", ["contracts", "keys"], ["a-contracts.csv", "a-keys.csv"]],
  [csv, "{table}.csv", ["contracts", "summary"], ["contracts.csv", "summary.csv"]],
  [csv, "x.y/a", ["contracts", "keys"], ["x.y/a-contracts", "x.y/a-keys"]],
  [packed, "a.csv.gz", ["contracts", "keys"], ["a-contracts.csv.gz", "a-keys.csv.gz"]],
  [packed, "a.CSV.GZ", ["contracts", "keys"], ["a-contracts.CSV.GZ", "a-keys.CSV.GZ"]],
  [xlsx, "a.xlsx", all, ["a.xlsx"]],
  [xlsx, "{table}.xlsx", all, ["all.xlsx"]],
  [xlsx, "{table}.xlsx", ["keys", "summary"], ["keys.xlsx"]],
  [xlsx, "{table}.xlsx", ["summary"], ["summary.xlsx"]],
  [csv, "-", ["contracts"], ["-"]],
])("%o as %s with the tables %j is %j", (format, target, tables, paths) => {
  expect(pathsOf(target, format, tables)).toEqual(paths)
})
