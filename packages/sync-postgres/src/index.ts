/** The mirror of many accounts in PostgreSQL: `postgresStore` holds what `syncAccount` of `@deedkit/sync` reads. */
export { postgresStore } from "./PostgresStore.ts"
export type { PostgresOptions } from "./PostgresStore.ts"
