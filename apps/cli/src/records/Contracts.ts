/** `deedkit contracts list` and `deedkit contracts get` (Spec: Endpoints, rows 3 and 4). */
import type * as Effect from "effect/Effect"
import type { QueryFlags } from "./RecordFlags.ts"
import type { GetChoices } from "./RecordGet.ts"
import * as RecordGet from "./RecordGet.ts"
import { contracts } from "./RecordKind.ts"
import * as RecordList from "./RecordList.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"

export const list = (choices: QueryFlags): Effect.Effect<void, CommandError, Needs> =>
  RecordList.show(contracts, choices)

export const get = ({
  data,
  ...choices
}: Omit<GetChoices, "options"> & { readonly data: boolean }): Effect.Effect<void, CommandError, Needs> =>
  RecordGet.show(contracts, { ...choices, options: { includeData: data } })
