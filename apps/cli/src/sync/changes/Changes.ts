/** `deedkit sync changes MIRROR --since DATE`: versions of records that were first seen since then. Sends nothing. */
import { Json } from "@deedkit/core"
import type { Change, ListChanges } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { root } from "../../command/Root.ts"
import type { Work } from "../../command/Subcommand.ts"
import { Failure } from "../../failure/Failure.ts"
import * as Session from "../../session/Session.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import type { ChangesChoices } from "./Changes.command.ts"
import * as ChangesText from "./ChangesText.ts"
import * as Mirror from "../mirror/Mirror.ts"
import * as Since from "./Since.ts"

const recordOf = (body: string | null): Json.Json => (body === null ? null : Json.parse(body))

const changeDocument = ({
  before,
  body,
  change,
  data,
  dataBefore,
  id,
  members,
  run,
  seenAt,
  version,
}: Change): object => ({
  id,
  version,
  change,
  members,
  seenAt,
  run,
  before: recordOf(before),
  after: recordOf(body),
  ...(data === null && dataBefore === null ? {} : { dataBefore: recordOf(dataBefore), data: recordOf(data) }),
})

const document = (mirror: string, since: string, lists: ReadonlyArray<ListChanges>): object => ({
  mirror,
  since,
  lists: lists.map(({ account, changes: found, collection, firstRead }) => ({
    account,
    collection,
    firstRead,
    changes: found.map(changeDocument),
  })),
})

export const changes: Work<ChangesChoices> = Effect.fn(function* ({ failOnChanges, format, mirror, since }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const from = Since.moment(since, yield* Clock.currentTimeMillis)
  const lists = yield* Mirror.read(mirror, (store) => store.changes(from))
  if (flags.json || format === "json") yield* terminal.json(Json.stringify(document(mirror, from, lists), 2))
  else if (format === "md") yield* terminal.lines(ChangesText.markdown(lists, from))
  else yield* terminal.lines(ChangesText.lines(lists))
  const found = lists.reduce((sum, list) => sum + list.changes.length, 0)
  if (format === "text") Session.note(terminal, flags)(`${ChangesText.total(lists)} since ${from}.`)
  if (failOnChanges && found > 0)
    return yield* new Failure({ reason: { _tag: "ChangesFound", changes: found } })
})
