/** The results of `getMany` as a Schema. */
import * as Schema from "effect/Schema"
import type { Lookup } from "../../client/Lookup.ts"

/** The result for one id, whose record has this Schema. */
export const LookupSchema = <A, I, RD, RE>(
  record: Schema.Codec<A, I, RD, RE>,
): Schema.Codec<Lookup<A>, Lookup<I>, RD, RE> =>
  Schema.Union([
    Schema.TaggedStruct("Found", { id: Schema.Int, record }),
    Schema.TaggedStruct("Unknown", { id: Schema.Int }),
  ])
