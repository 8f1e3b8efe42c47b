/** `deedkit keys list` and `deedkit keys get` (Spec: Endpoints, rows 1 and 2). */
import type * as Effect from "effect/Effect"
import type { QueryFlags } from "../RecordFlags.ts"
import type { GetChoices } from "../RecordGet.ts"
import * as RecordGet from "../RecordGet.ts"
import { keys } from "../RecordKind.ts"
import * as RecordList from "../RecordList.ts"
import type { CommandError, Needs } from "../../command/Subcommand.ts"

export const list = (choices: QueryFlags): Effect.Effect<void, CommandError, Needs> =>
  RecordList.show(keys, choices)

export const get = (choices: GetChoices): Effect.Effect<void, CommandError, Needs> =>
  RecordGet.show(keys, choices)
