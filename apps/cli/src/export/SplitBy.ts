/**
 * `--split-by COLUMN`: the contracts of a report by the values of a column, a workbook each or a sheet each. The list is read once, to its end, and
 * held in memory; each part is a source with its own contracts and the whole reading, so that its verdict is that of the list.
 */
import { ClientError } from "@deedkit/core"
import type { ClientEvent, Contract, Page, ReadSummary, RejectedRecord } from "@deedkit/core"
import { Account, Cell, Table, TextForm, Texts } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { CommandError } from "../command/Subcommand.ts"
import type { SourceList, SourceSession } from "../session/RecordSource.ts"
import { completing } from "./DataPayload.ts"
import type { Selection } from "./TableSelection.ts"

/** Stands for a value in `--out`. */
export const placeholder = "{value}"

/** Most sheets of one workbook; more values need a workbook each. */
export const mostSheets = 100

export interface Part {
  /** The value for people; a word for none where records have none. */
  readonly title: string
  /** The condition that all records of the part meet, such as `listing.city=Athens`. */
  readonly condition: string
  /** The value in a file name, different from that of every other part. */
  readonly fileName: string
  /** Reads the contracts of the part, without a request. */
  readonly session: SourceSession
}

/** Longest value in a file name, in UTF-8 bytes: names of files end at 255. */
const mostBytes = 120

/** Names that Windows keeps for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?![^.])/i

const encoder = new TextEncoder()

/** A value as a part of a file name: on one line, without separators of paths, characters that a file system refuses, and the start of a flag or a hidden file. */
const inFileName = (value: string): string => {
  const plain = value
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .replaceAll(/[/\\:*?"<>|{}]/g, "-")
    .replaceAll(/^[-~. ]+|[. ]+$/g, "")
  let short = ""
  let bytes = 0
  for (const character of plain) {
    bytes += encoder.encode(character).length
    if (bytes > mostBytes) break
    short += character
  }
  const name = short.trimEnd()
  return name === "" ? "_" : device.test(name) ? `_${name}` : name
}

/** The name of the file of the contracts without a value. */
const none = "none"

/** File names that differ also where a file system ignores case, in the order of the values. No value has the name of none. */
export const fileNames = (values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const given = new Set(values.includes("") ? [none] : [])
  return values.map((value) => {
    if (value === "") return none
    const wanted = inFileName(value)
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted} ${number}`
      const folded = TextForm.search(name)
      if (given.has(folded)) continue
      given.add(folded)
      return name
    }
  })
}

interface Group {
  readonly value: string
  readonly contracts: Array<Contract.Contract>
}

export interface SplitOptions {
  readonly column: string
  /** The table, whose columns can be named, and the conditions. */
  readonly selection: Selection<Contract.Contract>
  readonly data: boolean
  /** Whether all parts are sheets of one workbook. */
  readonly isOneFile: boolean
  readonly language: Texts.Language
  /** Rejected records after which the read stops; undefined for the usual limits. */
  readonly maxRejects: number | undefined
  readonly pageSize: number
  readonly prove: boolean
}

/** The list: its parts, and what the whole of it is judged by. */
export interface Split {
  readonly parts: ReadonlyArray<Part>
  readonly summary: ReadSummary
  readonly rejected: ReadonlyArray<RejectedRecord>
  /** The session, which tells listeners again what was new in the list. */
  readonly session: SourceSession
}

type Answer = Exit.Exit<Contract.Contract, ClientError.ClientError>

/**
 * Reads all contracts, and returns the parts by their values as people sort them, the one without a value last. Too many rejected records stop it, as
 * they do an export of the whole list.
 */
export const read = Effect.fnUntraced(function* (
  session: SourceSession,
  { column: word, data, isOneFile, language, maxRejects, pageSize, prove, selection }: SplitOptions,
): Effect.fn.Return<Split, CommandError> {
  const { client, note } = session
  const { defaultLimits, tooMany } = yield* Effect.promise(() => import("@deedkit/export/run"))
  const limits = {
    ...defaultLimits,
    ...(maxRejects === undefined ? {} : { records: maxRejects, share: 1 }),
  }
  const { get } = client.contracts
  const column = yield* Effect.fromResult(Table.resolveColumn(selection.table, word))
  const answers = new Map<number, Answer>()
  const asking: SourceList<Contract.Contract>["get"] =
    get === undefined
      ? undefined
      : (id, options) =>
          Effect.flatMap(Effect.exit(get(id, options)), (answer) => {
            answers.set(id, answer)
            return answer
          })
  const complete = data && asking !== undefined ? completing({ get: asking }) : undefined
  const groups = new Map<string, Group>()
  let last: Page<Contract.Contract> | null = null
  const rejected: Array<RejectedRecord> = []
  const withUnfitData: Array<RejectedRecord> = []
  const outside: Array<RejectedRecord> = []
  let seen = 0
  const take = Effect.fnUntraced(function* (page: Page<Contract.Contract>) {
    last = page
    rejected.push(...page.rejected)
    const more = complete === undefined ? null : yield* complete(page.records)
    withUnfitData.push(...(more?.rejected ?? []))
    seen += page.records.length + page.rejected.length
    const error = tooMany([...rejected, ...withUnfitData], seen, limits)
    if (error !== null) return yield* error
    const whole = new Map((more?.records ?? []).map((contract) => [contract.id, contract]))
    const unfit = new Map((more?.rejected ?? []).map((each) => [each.id, each]))
    for (const listed of page.records) {
      const contract = whole.get(listed.id) ?? listed
      if (!selection.filter.keeps(contract)) {
        // A condition on its data cannot be judged, and no part will ask for it.
        const unjudged = unfit.get(listed.id)
        if (unjudged !== undefined) outside.push(unjudged)
        continue
      }
      const value = Cell.scalar(column.get(contract)) ?? ""
      const key = TextForm.equal(String(value))
      const group = groups.get(key) ?? { value: key, contracts: [] }
      group.contracts.push(listed)
      groups.set(key, group)
    }
  })
  const news: Array<ClientEvent.ClientEvent> = []
  const unlisten = client.listen((event) => void (event._tag === "SchemaDrift" && news.push(event)))
  yield* Stream.runForEach(
    client.contracts.pages({ limit: pageSize, onRejected: "collect", prove }),
    take,
  ).pipe(Effect.ensuring(Effect.sync(unlisten)))
  // A list has at least one page.
  const end = last as unknown as Page<Contract.Contract>
  if (groups.size === 1 && groups.has(""))
    note(
      `No contract has ${column.name}${data ? "" : " (add --data for members of the data payload)"}.`,
      "yellow",
    )
  const collator = new Intl.Collator(language, { numeric: true })
  const sorted = [...groups.values()].toSorted((one, other) =>
    one.value === "" || other.value === ""
      ? Number(one.value === "") - Number(other.value === "")
      : collator.compare(one.value, other.value) || (one.value < other.value ? -1 : 1),
  )
  const names = fileNames(sorted.map(({ value }) => value))
  const all = [...rejected, ...outside]
  const told: SourceSession["client"] = {
    ...client,
    listen: (listener) => {
      for (const event of news) listener(event)
      return client.listen(listener)
    },
  }
  const parts = sorted.map(({ contracts, value }, at): Part => ({
    title: Account.clean(value) || Texts.say(language, "(none)"),
    condition: `${column.name}=${value}`,
    fileName: names[at]!,
    session: {
      ...session,
      client: {
        ...told,
        contracts: {
          ...client.contracts,
          // In one workbook, rejected records are listed once.
          pages: () =>
            Stream.succeed({ ...end, records: contracts, rejected: isOneFile && at > 0 ? [] : all }),
          ...(get === undefined ? {} : { get: answered(answers, contracts) }),
        },
      },
    },
  }))
  return { parts, summary: end.summary, rejected: all, session: { ...session, client: told } }
})

/** Gives the answers again. A contract that the service refused is one without data, because others were answered. */
const answered = (
  answers: ReadonlyMap<number, Answer>,
  contracts: ReadonlyArray<Contract.Contract>,
): NonNullable<SourceList<Contract.Contract>["get"]> => {
  const listed = new Map(contracts.map((contract) => [contract.id, contract]))
  return (id) => {
    const answer = answers.get(id)
    const isWithout =
      answer === undefined || (Exit.isFailure(answer) && isAboutRecord(Cause.squash(answer.cause)))
    return isWithout ? Effect.succeed(listed.get(id)!) : answer
  }
}

const isAboutRecord = (error: unknown): boolean =>
  error instanceof ClientError.ClientError &&
  ["NotFound", "Forbidden", "Rejected"].includes(error.reason._tag)
