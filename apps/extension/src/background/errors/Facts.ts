/**
 * The facts about an error of the client, for those who look into it: names and numbers, which are the same in every language, and what the
 * service itself said. For a record, they are its id, and the place and the type of what is wrong; never a value.
 */
import type { ClientError } from "@deedkit/core"

/** Most issues of one answer that are listed; more would not help. */
const mostIssues = 3

/** Whether a member of a reason is a sentence of the client, in English. */
const isSentence = (tag: string, name: string): boolean =>
  name === "text" || (tag === "ConfigInvalid" && name === "problem")

const factsOf = (tag: string, reason: object): ReadonlyArray<string> =>
  Object.entries(reason).flatMap(([name, value]: [string, unknown]) => {
    if (name === "_tag" || value === null || isSentence(tag, name)) return []
    if (Array.isArray(value)) return value.slice(0, mostIssues).map(issueFact)
    return typeof value === "object"
      ? factsOf(tag, value)
      : [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`]
  })

type Issue = Extract<ClientError.Reason, { readonly _tag: "RecordInvalid" }>["issues"][number]

const issueFact = ({ expected, found, path }: Issue): string =>
  `${path === "" ? "" : `${path}: `}expected ${expected}, found ${found}`

/** Such as `NotTheApi · GET /v1/contracts/ · status: 200 · contentType: text/html · requestId: 8c1f`. */
export const of = ({ reason, request, requestId }: ClientError.ClientError): string =>
  [
    reason._tag,
    ...(request === null ? [] : [`${request.method} ${request.path}`]),
    ...factsOf(reason._tag, reason),
    ...(requestId === null ? [] : [`requestId: ${requestId}`]),
  ].join(" · ")
