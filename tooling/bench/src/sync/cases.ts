/** The names of the cases of `rows.ts` and `engines.ts`, as in the tables. */
export const sqlite = {
  page: "insert, a transaction a page",
  single: "insert, a transaction a row",
  first: "the mirror, first read",
  unchanged: "the mirror, unchanged night",
} as const

export const postgres = {
  copy: "COPY of a file",
  single: "insert, a transaction a row (a tenth of the rows)",
  first: "the mirror in PostgreSQL, first read",
  unchanged: "the mirror in PostgreSQL, unchanged night",
} as const

/** The engines that distribute the accounts, and the database of the mirror. */
export const engines = {
  graphile: "graphile-worker, PostgreSQL",
  cluster: "deedkit sync worker, PostgreSQL",
  postgres: "deedkit sync, PostgreSQL",
  embedded: "deedkit sync worker, a file",
  sqlite: "deedkit sync, a file",
} as const
