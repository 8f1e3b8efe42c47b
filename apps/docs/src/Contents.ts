/**
 * Every page of the site, with the sections that it takes: `file` is a whole document, `file#anchor` a section with those below it. A section that is named by
 * itself, on a page or in `leftOut`, is not on the page of the sections around it.
 */
export interface Page {
  readonly name: string
  readonly title: string
  readonly from: ReadonlyArray<string>
}

export interface Group {
  readonly title: string
  readonly pages: ReadonlyArray<Page>
}

const page = (name: string, title: string, ...from: ReadonlyArray<string>): Page => ({ name, title, from })

const cli = "apps/cli/docs"
const core = "packages/core/README.md"
const emulator = "packages/emulator/README.md"
const exporting = "packages/export/README.md"
const runs = "packages/export/docs/runs.md"
const csv = "packages/export-csv/README.md"
const xlsx = "packages/export-xlsx/README.md"
const parquet = "packages/export-parquet/README.md"
const sync = "packages/sync/README.md"
const postgres = "packages/sync-postgres/README.md"
const guide = "packages/core/docs"

/** The packages that have a page of declarations. */
export const libraries = [
  "core",
  "emulator",
  "export",
  "export-csv",
  "export-xlsx",
  "export-parquet",
  "sync",
  "sync-postgres",
] as const

export const groups: ReadonlyArray<Group> = [
  {
    title: "Tasks",
    pages: [
      page("index", "Deedkit", "README.md"),
      page("playground", "Playground", "apps/docs/playground/README.md"),
      page("install", "Install and log in", `${cli}/install.md`),
      page("excel", "Export to Excel", `${cli}/exports.md`, "packages/export-xlsx/docs/cells.md"),
      page(
        "complete",
        "Know that it is complete",
        `${cli}/complete.md`,
        `${runs}#verdicts`,
        `${guide}/pagination.md#is-the-list-complete`,
        `${runs}#manifests-and-what-they-show`,
      ),
      page("nightly", "Every night", `${cli}/nightly.md`),
      page("accounts", "Many accounts", `${cli}/mirror.md`, "packages/sync/docs/accounts.md"),
      page("listings", "Next to your listings", "apps/extension/docs/guide.md"),
      page("build", "Build on core", core, `${guide}/effect-and-promises.md`, `${guide}/migration.md`),
      page("test", "Test your tool", `${guide}/testing.md`, emulator),
    ],
  },
  {
    title: "Command line",
    pages: [
      page("keys", "Keys and accounts", `${cli}/keys.md`),
      page("lists", "Lists and audits", `${cli}/lists.md`),
      page("scripts", "Scripts", `${cli}/scripts.md`),
      page("doctor", "How a server behaves", `${cli}/doctor.md`, `${guide}/checkup.md`),
      page("assistants", "Assistants, completions", `${cli}/assistants.md`),
      page("commands", "Commands", "apps/cli/README.md#commands"),
      page(
        "errors",
        "Errors and what to do",
        `${cli}/errors.md`,
        `${guide}/errors.md`,
        "packages/export/docs/errors.md",
        "packages/sync/docs/program.md#errors",
      ),
      page(
        "open",
        "What the specification leaves open",
        `${cli}/errors.md#what-the-specification-leaves-open`,
        `${guide}/open-points.md`,
        `${runs}#what-the-specification-leaves-open-and-what-happens-here`,
        `${emulator}#assumptions`,
      ),
    ],
  },
  {
    title: "Libraries",
    pages: [
      page("pagination", "Pagination", `${guide}/pagination.md`),
      page("rate-limits", "Rate limits", `${guide}/rate-limits.md`),
      page("schemas", "Records and Schemas", `${guide}/schemas.md`),
      page("observability", "Observability", `${guide}/observability.md`),
      page("transports", "Transports", `${guide}/transports.md`),
      page("exports", "Exports in a program", exporting, runs),
      page("formats", "CSV, workbooks, Parquet", csv, xlsx, parquet),
      page(
        "mirror",
        "A mirror and its tables",
        sync,
        "packages/sync/docs/tables.md",
        "packages/sync/docs/program.md",
      ),
      page("postgres", "A mirror in PostgreSQL", postgres, "packages/sync-postgres/docs/workers.md"),
      page(
        "platforms",
        "dlt, Singer, Temporal",
        "packages/sync/docs/dlt.md",
        "packages/sync/docs/singer.md",
        "packages/sync/docs/temporal.md",
      ),
    ],
  },
  {
    title: "API",
    pages: libraries.map((name) => page(`api-${name}`, `@deedkit/${name}`)),
  },
  {
    title: "Project",
    pages: [
      page(
        "security",
        "Security and privacy",
        ".github/SECURITY.md",
        "apps/extension/store/Privacy.md",
        "apps/extension/store/Permissions.md",
      ),
      page("changes", "Changes"),
      page("contributing", "Contributing", ".github/CONTRIBUTING.md", ".github/project-layout.md"),
    ],
  },
]

/** What contributors need beside the code, and what a registry page needs, is not on the site. */
export const leftOut: ReadonlyArray<string> = [
  "README.md#more",
  `${core}#guide`,
  `${exporting}#modules`,
  `${sync}#guide`,
  ...["guide", "install", "source", "start-and-size"].map((part) => `apps/cli/README.md#${part}`),
  ...[emulator, exporting, csv, xlsx, parquet].flatMap((path) => [
    `${path}#may-depend-on`,
    `${path}#decisions`,
  ]),
  `${emulator}#layout`,
  ...[csv, xlsx, parquet].flatMap((path) => [`${path}#modules`]),
]
