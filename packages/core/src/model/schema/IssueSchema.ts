/** The issues of a record as a Schema. */
import * as Schema from "effect/Schema"
import type { Issue } from "../check.ts"

/** One thing that is wrong with a record: path, expected and found type, no value. */
export const IssueSchema: Schema.Codec<Issue> = Schema.Struct({
  path: Schema.String,
  expected: Schema.String,
  found: Schema.String,
})
