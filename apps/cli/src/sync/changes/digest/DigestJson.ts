/** A digest as a document for programs: `--json` prints it, and a webhook receives it. Pure. Records are complete, as the service sent them. */
import { Json } from "@deedkit/core"
import type { Change } from "@deedkit/sync"
import type { Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"

const recordOf = (body: string | null): Json.Json => (body === null ? null : Json.parse(body))

const changeDocument = (change: Change): object => {
  const { before, body, data, dataBefore, id, members, run, seenAt, version } = change
  return {
    id,
    version,
    change: change.change,
    unusual: Digests.isUnusual(change),
    members,
    seenAt,
    run,
    before: recordOf(before),
    after: recordOf(body),
    ...(data === null && dataBefore === null
      ? {}
      : { dataBefore: recordOf(dataBefore), data: recordOf(data) }),
  }
}

/** The text of the document; `indent` as in `JSON.stringify`. */
export const text = (digest: Digest, indent?: number): string => {
  const { lists, mirror, since, until } = digest
  return Json.stringify(
    {
      id: Digests.idOf(digest),
      mirror,
      since,
      until,
      counts: Digests.countsOf(Digests.changesOf(digest)),
      lists: lists.map(({ account, changes, collection, firstRead }) => ({
        account,
        collection,
        firstRead,
        changes: changes.map(changeDocument),
      })),
    },
    indent,
  )
}
