/**
 * Rejects unknown arguments of a tool, with the nearest known one. If they were ignored, a misspelt condition would silently return other
 * records.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { nearest } from "@deedkit/export"
import { plainText } from "./Data.ts"

/** Names that other tools use for an argument, by its name here. */
const otherNames: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: ["query", "q", "search", "keyword", "keywords", "term", "words"],
  where: ["filter", "filters", "condition", "conditions", "status", "kind", "city"],
  limit: ["count", "size", "page_size", "per_page", "max", "max_results", "top", "n"],
  cursor: ["next", "page", "page_token", "next_cursor", "offset", "after", "before_id", "next_before_id"],
  ids: ["id", "contract_id", "contract_ids", "contracts"],
  include_data: ["data", "with_data", "payload"],
}

const known = (name: string, taken: ReadonlyArray<string>): string | null =>
  taken.find((each) => otherNames[each]?.includes(name.toLowerCase())) ?? null

const longestName = 60

/** The error message for unknown arguments; null if all are known. Pure. */
export const problemOf = (
  tool: string,
  taken: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
): string | null => {
  const unknown = given.filter((name) => !taken.includes(name))
  if (unknown.length === 0) return null
  const sentences = unknown.slice(0, 5).map((name) => {
    const meant = known(name, taken) ?? nearest(name, taken)
    const shown = JSON.stringify(plainText(name.slice(0, longestName)))
    return `Unknown argument ${shown}.${meant === null ? "" : ` Did you mean "${meant}"?`}`
  })
  return `${sentences.join(" ")} ${tool} takes: ${taken.join(", ")}. Nothing was read.`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The server with tools that first reject unknown arguments. */
const strict = (server: McpServer.McpServer["Service"]): McpServer.McpServer["Service"] => ({
  ...server,
  addTool: (options) =>
    server.addTool({
      ...options,
      handle: (payload) => {
        const { inputSchema, name } = options.tool
        const { properties } = inputSchema as { readonly properties?: unknown }
        const taken = isObject(properties) ? Object.keys(properties) : []
        const problem = problemOf(name, taken, isObject(payload) ? Object.keys(payload) : [])
        return problem === null
          ? options.handle(payload)
          : Effect.fail(new McpSchema.InvalidParams({ message: problem }))
      },
    }),
})

/** Provides the strict server, for registering tools. */
export const layer = Layer.effect(McpServer.McpServer, Effect.map(McpServer.McpServer, strict))
