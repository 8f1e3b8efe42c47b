/**
 * The views of a mirror in PostgreSQL, which are an interface like its tables. They are those of the mirror in SQLite, and the functions
 * `contracts_at` and `api_keys_at`, which SQLite does not have.
 */

/** `valid_to` is the first moment of any later version: if a clock was set back, times are not in the order of versions. */
const versions = (schema: string, table: string, texts: string): string => `
create view ${schema}.${table}_versions as
select account, id, version, change, seen_at as valid_from,
  (select min(seen_at) from ${schema}.${table}_history as later
   where later.account = held.account and later.id = held.id and later.version > held.version) as valid_to,
  members, run, hash, ${texts}
from ${schema}.${table}_history as held where change <> 'removed';
create function ${schema}.${table}s_at(timestamptz) returns setof ${schema}.${table}_versions language sql stable as $$
  select * from ${schema}.${table}_versions where valid_from <= $1 and (valid_to is null or valid_to > $1)
$$;
`

/** `complete_at` is when the last complete read of the list ended. */
const current = (schema: string, table: string, collection: string, columns: string): string => `
create view ${schema}.${table}s as
select ${table}.account, base_url, id, version, seen_at, ${columns},
  (select ended_at from ${schema}.sync_run
   where sync_run.account = ${table}.account and collection = '${collection}' and state = 'finished'
     and completeness in ('proven', 'confirmed') and rejected = 0 and without_data = 0
   order by run desc limit 1) as complete_at
from ${schema}.${table} join ${schema}.account on account.account = ${table}.account;
`

/** Records of the first read are left out: they were not new, only never read before. */
const changes = (
  schema: string,
  table: string,
  collection: string,
  data: (row: string) => string,
): string => `
select later.account, '${collection}' as collection, later.id, later.version, later.change, later.members, later.seen_at, later.run,
  later.body, earlier.body as body_before, ${data("later")} as data, ${data("earlier")} as data_before
from ${schema}.${table}_history as later
left join ${schema}.${table}_history as earlier
  on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
where later.version > 1 or later.run > (
  select min(run) from ${schema}.sync_run where account = later.account and collection = '${collection}' and state = 'finished')
`

/** The statements for a quoted schema. */
export const publicViews = (schema: string): string => `
${current(schema, "contract", "contracts", "status, kind, listing_id, city, unit_label, created_at, updated_at, body, data")}
${current(schema, "api_key", "api-keys", "name, created_at, last_used_at, revoked_at, body")}
${versions(schema, "contract", "body, data")}
${versions(schema, "api_key", "body")}
create view ${schema}.changes as
${changes(schema, "contract", "contracts", (row) => `${row}.data`)}
union all
${changes(schema, "api_key", "api-keys", () => "null::text")};
`
