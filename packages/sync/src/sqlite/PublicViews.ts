/**
 * The views of a mirror in SQLite, which are an interface like its tables: current records with their proof, versions with the period in which each
 * was valid, and changes. The mirror in PostgreSQL has the same views.
 */

/** `valid_to` is the first moment of any later version: if a clock was set back, times are not in the order of versions. */
const versions = (table: string, texts: string): string => `
create view ${table}_versions as
select account, id, version, change, seen_at as valid_from,
  (select min(seen_at) from ${table}_history as later
   where later.account = held.account and later.id = held.id and later.version > held.version) as valid_to,
  members, run, hash, ${texts}
from ${table}_history as held where change <> 'removed';
`

/** `complete_at` is when the last complete read of the list ended. */
const current = (table: string, collection: string, columns: string): string => `
create view ${table}s as
select ${table}.account, base_url, id, version, seen_at, ${columns},
  (select ended_at from sync_run
   where sync_run.account = ${table}.account and collection = '${collection}' and state = 'finished'
     and completeness in ('proven', 'confirmed') and rejected = 0 and without_data = 0
   order by run desc limit 1) as complete_at
from ${table} join account on account.account = ${table}.account;
`

/** Records of the first read are left out: they were not new, only never read before. */
const changes = (table: string, collection: string, data: (row: string) => string): string => `
select later.account, '${collection}' as collection, later.id, later.version, later.change, later.members, later.seen_at, later.run,
  later.body, earlier.body as body_before, ${data("later")} as data, ${data("earlier")} as data_before
from ${table}_history as later
left join ${table}_history as earlier
  on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
where later.version > 1 or later.run >
  (select min(run) from sync_run where account = later.account and collection = '${collection}' and state = 'finished')
`

export const publicViews = `
${current("contract", "contracts", "status, kind, listing_id, city, unit_label, created_at, updated_at, body, data")}
${current("api_key", "api-keys", "name, created_at, last_used_at, revoked_at, body")}
${versions("contract", "body, data")}
${versions("api_key", "body")}
create view changes as
${changes("contract", "contracts", (row) => `${row}.data`)}
union all
${changes("api_key", "api-keys", () => "null")};
`
