/** What the relations and columns of a mirror are, for the catalogue of the database, and for programs that show it. */

/** By the name of a table, view or function. */
const relations: { readonly [name: string]: string } = {
  account: "The accounts of the mirror",
  account_tag: "The tags of accounts, from the accounts file",
  contract: "The contracts that exist, by account",
  contract_history: "Every version of every contract",
  contract_latest: "Internal: texts of contracts that were read again without a new version",
  api_key: "The API keys that are listed: metadata, no secrets",
  api_key_history: "Every version of every API key",
  api_key_latest: "Internal: texts of API keys that were read again without a new version",
  sync_list: "The lists of each account, and their newest runs",
  sync_run: "The reads of lists, with what is known about their completeness",
  sync_page: "Internal: the pages of reads under way",
  mirror: "What distinguishes this mirror from others and from its copies",
  mirror_version: "The version of these tables",
  contracts:
    "The contracts that exist, with the address of their account and when their list was last complete",
  api_keys:
    "The API keys that are listed, with the address of their account and when their list was last complete",
  contract_versions: "The versions of contracts, each with the time for which it held",
  api_key_versions: "The versions of API keys, each with the time for which it held",
  contracts_with_removed: "The last version of every contract, those that were removed included",
  api_keys_with_removed: "The last version of every API key, those that were removed included",
  listings: "The listings that contracts have, each as the contract that was updated last has it",
  changes: "The versions that came after the first read of their list, with the text before",
}

/** By the name of a column, which means the same in every relation. */
const columns: { readonly [name: string]: string } = {
  accepted_run: "The last run whose held removals were accepted",
  account: "The name of the account",
  added: "Records that were added",
  added_at: "When the account was added to the mirror",
  area: "Area of the listing",
  base_url: "Origin and path prefix of the API",
  body: "The record as the service sent it, JSON",
  body_before: "The record in the version before, JSON",
  change: "added, changed, removed or returned",
  changed: "Records that were changed",
  checkpoint: "Where the read resumes after the page, JSON",
  city: "City of the listing",
  collection: "contracts or api-keys",
  complete_at: "When the last complete read of the list ended",
  complete_run: "The last complete run of the list",
  completeness: "proven, confirmed or unverified",
  contracts: "Number of contracts with the listing",
  created_at: "When the record was created, by the service",
  cursor_evidence: "What shows how the cursor works",
  cursor_parameter: "The parameter with which the list was paged",
  cursor_state: "How far it is known that the cursor works",
  data: "The payload of include_data, JSON, where it was read",
  data_before: "The payload in the version before, JSON",
  ended_at: "When the read ended, or its last answer so far",
  epoch: "Random, another one in each backup",
  first_run: "The first run that reached the end of the list",
  hash: "SHA-256 of body, in hexadecimal",
  held: "Removals that were not done because they were too many",
  id: "The id of the record at the service; of the mirror, a random text",
  identity: "Ids of the caller that the service named, JSON",
  ids: "The ids of the page, JSON",
  key_fingerprint: "Fingerprint of the key that last read the account",
  kind: "Kind of the contract",
  last_run: "The last run that reached the end of the list",
  last_used_at: "When the key was last used, kept up to date without a new version",
  listing_id: "Id of the listing",
  members: "The members that differ from the version before",
  name: "Name of the key",
  night: "The day in UTC on which the read began",
  page: "Number of the page, from 0",
  pages: "Pages that were stored",
  previous: "SHA-256 of the row of the run before, of the same list",
  problem: "Why the last sync of the account failed",
  problem_at: "When it failed",
  pruned_hash: "SHA-256 of the row of the last run that was pruned",
  pruned_records: "Records that the runs that were pruned have left",
  readings: "How often the list was read",
  reason: "Why it is proven, confirmed or unverified",
  record: "The record as jsonb; null for one that jsonb refuses",
  records: "Number of records",
  rejected: "Records that are not as specified, and not stored",
  removed: "Records that were removed",
  removed_at: "When it was seen that the record is gone; null for one that exists",
  requests: "Requests that were sent",
  resumed_at_page: "Pages that were stored before an interruption",
  returned: "Records that came back after their removal",
  revoked_at: "When the key was revoked",
  run: "The run that first saw this version; of a run, its number",
  seen_at: "When this version was first seen",
  slug: "Slug of the listing",
  started_at: "When the read began",
  state: "running, finished or abandoned",
  status: "Status of the contract",
  tag: "A tag of the account",
  template_id: "Id of the template",
  title: "Title of the listing",
  told_at: "When the changes were last shown with --since last",
  told_run: "The last run whose changes were shown with --since last",
  unit_label: "Label of the unit",
  unlisted: "Records that are absent from the list and found by id",
  updated_at: "When the record was updated, by the service",
  valid_from: "When this version was first seen",
  valid_to: "When a later version was seen; null for the last one",
  version: "Number of the version of the record, from 1; of the tables, theirs",
  without_data: "Records without the payload that was requested",
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** The statements that comment on relations with their columns. */
export const commentsOn = (
  schema: string,
  found: ReadonlyArray<{ readonly relation: string; readonly kind: string; readonly column: string }>,
): ReadonlyArray<string> => {
  const named = new Map(found.map(({ kind, relation }) => [relation, kind === "v" ? "view" : "table"]))
  return [
    ...Array.from(named).flatMap(([relation, kind]) =>
      relations[relation] === undefined
        ? []
        : [`comment on ${kind} ${schema}.${relation} is ${text(relations[relation])}`],
    ),
    ...found.flatMap(({ column, relation }) =>
      columns[column] === undefined
        ? []
        : [`comment on column ${schema}.${relation}.${column} is ${text(columns[column])}`],
    ),
  ]
}
