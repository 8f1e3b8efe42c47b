/**
 * The state of a mirror as metrics in Prometheus' text format (version 0.0.4), for the textfile collector of node_exporter. All are gauges. Pure.
 */
import type { AccountStatus, ListStatus, RunRow } from "@deedkit/sync"

/** An account of a mirror. `isComplete` says whether it is complete and recent enough. */
interface Checked {
  readonly status: AccountStatus
  readonly isComplete: boolean
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Metric {
  readonly name: string
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" }

/** A label's value. A name can contain special characters of the format, and lone surrogates, which UTF-8 cannot encode. */
const escaped = (value: string): string =>
  value.toWellFormed().replaceAll(/[\\"\n]/g, (character) => escapes[character]!)

const sampleLine = (name: string, { labels, value }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`
}

const seconds = (moment: string): number => Date.parse(moment) / 1_000

const versions = ["added", "changed", "removed", "returned"] as const

/** The lines of the document, without line ends. A metric without samples is left out. */
export const lines = (accounts: ReadonlyArray<Checked>, nowMillis: number): ReadonlyArray<string> => {
  const perAccount = (value: (each: Checked) => number): ReadonlyArray<Sample> =>
    accounts.map((each) => ({ labels: { account: each.status.account }, value: value(each) }))
  const lists = accounts.flatMap(({ status: { account, lists: own } }) =>
    own.map((list) => ({ labels: { account, list: list.collection }, list })),
  )
  const perList = (value: (list: ListStatus) => number | null): ReadonlyArray<Sample> =>
    lists.flatMap(({ labels, list }) => {
      const found = value(list)
      return found === null ? [] : [{ labels, value: found }]
    })
  const ofLast = (value: (row: RunRow) => number) =>
    perList(({ last }) => (last === null ? null : value(last)))
  const metrics: ReadonlyArray<Metric> = [
    {
      name: "deedkit_sync_status_timestamp_seconds",
      help: "When these metrics were made, in Unix time.",
      samples: [{ labels: {}, value: nowMillis / 1_000 }],
    },
    {
      name: "deedkit_sync_accounts",
      help: "Accounts in the mirror.",
      samples: [{ labels: {}, value: accounts.length }],
    },
    {
      name: "deedkit_sync_complete",
      help: "1 where every list of the account was read completely and, with --max-age, recently; else 0.",
      samples: perAccount(({ isComplete }) => Number(isComplete)),
    },
    {
      name: "deedkit_sync_failed",
      help: "1 where the last sync of the account failed; else 0.",
      samples: perAccount(({ status: { problem } }) => Number(problem !== null)),
    },
    {
      name: "deedkit_sync_records",
      help: "Records of the list in the mirror.",
      samples: perList(({ records }) => records),
    },
    {
      name: "deedkit_sync_complete_timestamp_seconds",
      help: "When the last complete read of the list ended, in Unix time.",
      samples: perList(({ lastComplete }) => (lastComplete === null ? null : seconds(lastComplete.endedAt))),
    },
    {
      name: "deedkit_sync_read_timestamp_seconds",
      help: "When the last read that reached the end of the list ended, in Unix time.",
      samples: ofLast(({ endedAt }) => seconds(endedAt)),
    },
    {
      name: "deedkit_sync_read_duration_seconds",
      help: "How long that read took.",
      samples: ofLast(({ endedAt, startedAt }) => (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000),
    },
    {
      name: "deedkit_sync_read_requests",
      help: "Requests of that read.",
      samples: ofLast(({ requests }) => requests),
    },
    {
      name: "deedkit_sync_read_rejected",
      help: "Records of that read that are not as specified and not stored.",
      samples: ofLast(({ rejected }) => rejected),
    },
    {
      name: "deedkit_sync_read_versions",
      help: "Versions of records that came with that read, by kind of change.",
      samples: lists.flatMap(({ labels, list: { last } }) =>
        last === null
          ? []
          : versions.map((change) => ({ labels: { ...labels, change }, value: last[change] })),
      ),
    },
  ]
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ help, name, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`].concat(
        samples.map((sample) => sampleLine(name, sample)),
      ),
    )
}
