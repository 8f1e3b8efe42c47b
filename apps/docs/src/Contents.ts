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

const cli = "apps/cli/README.md"
const core = "packages/core/README.md"
const extension = "apps/extension/README.md"
const emulator = "packages/emulator/README.md"
const exporting = "packages/export/README.md"
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
      page("install", "Install and log in", `${cli}#install`, `${cli}#your-own-account`),
      page(
        "excel",
        "Export to Excel",
        `${cli}#exports`,
        `${xlsx}#what-a-cell-becomes`,
        `${xlsx}#on-paper-and-in-excel`,
        `${xlsx}#limits-of-spreadsheets`,
      ),
      page(
        "complete",
        "Know that it is complete",
        `${exporting}#verdicts`,
        `${cli}#verified`,
        `${cli}#signed`,
        `${guide}/pagination.md#is-the-list-complete`,
        `${exporting}#manifests-and-what-they-show`,
      ),
      page("nightly", "Every night", `${cli}#every-night`, `${cli}#in-scripts`),
      page(
        "accounts",
        "Many accounts",
        `${cli}#mirror-many-accounts`,
        `${sync}#from-an-accounts-file-to-the-first-digest`,
        `${sync}#digests`,
        `${sync}#figures`,
        `${sync}#backup-and-restore`,
        `${sync}#what-a-sync-does`,
      ),
      page("listings", "Next to your listings", extension),
      page("build", "Build on core", core, `${guide}/effect-and-promises.md`, `${guide}/migration.md`),
      page("test", "Test your tool", `${guide}/testing.md`, emulator),
    ],
  },
  {
    title: "Command line",
    pages: [
      page("keys", "Keys and accounts", `${cli}#keys-and-accounts`, `${cli}#flags-of-every-command`),
      page("lists", "Lists and audits", `${cli}#list-records`, `${cli}#audit-the-keys`),
      page("doctor", "How a server behaves", `${cli}#how-this-server-behaves`, `${guide}/checkup.md`),
      page("assistants", "Assistants, completions", `${cli}#for-assistants`, `${cli}#completions-and-manual`),
      page("commands", "Commands", `${cli}#commands`),
      page(
        "errors",
        "Errors and what to do",
        `${cli}#when-something-goes-wrong`,
        `${guide}/errors.md`,
        `${exporting}#errors-and-what-to-do`,
        `${sync}#errors`,
      ),
      page(
        "open",
        "What the specification leaves open",
        `${cli}#what-the-specification-leaves-open`,
        `${guide}/open-points.md`,
        `${exporting}#what-the-specification-leaves-open-and-what-happens-here`,
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
      page("exports", "Exports in a program", exporting),
      page("formats", "CSV, workbooks, Parquet", csv, xlsx, parquet),
      page("mirror", "A mirror and its tables", sync),
      page(
        "postgres",
        "A mirror in PostgreSQL",
        postgres,
        "packages/sync-postgres/docs/one-machine.md",
        "packages/sync-postgres/docs/cluster.md",
        "packages/sync-postgres/docs/million.md",
      ),
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
      page("contributing", "Contributing", ".github/CONTRIBUTING.md", ".github/project-layout.md"),
    ],
  },
]

/** What contributors need beside the code, and what a registry page needs, is not on the site. */
export const leftOut: ReadonlyArray<string> = [
  "README.md#more",
  `${cli}#start-and-size`,
  `${cli}#source`,
  `${core}#guide`,
  `${exporting}#modules`,
  `${extension}#working-on-it`,
  `${extension}#for-reviewers`,
  ...[emulator, exporting, csv, xlsx, parquet].flatMap((path) => [
    `${path}#may-depend-on`,
    `${path}#decisions`,
  ]),
  `${emulator}#layout`,
  ...[csv, xlsx, parquet].flatMap((path) => [`${path}#modules`]),
]
