/** What every command of this program is: which ways of failing it has, what it needs from the process, and when its work is loaded. */
import type { ClientError } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type * as Stdio from "effect/Stdio"
import type * as Command from "effect/cli/Command"
import type { AuditFindings } from "../failure/AuditFindings.ts"
import type { Environment } from "../terminal/Environment.ts"
import type { Invocation } from "./Invocation.ts"
import type { NotVerified } from "../failure/NotVerified.ts"
import type { SetAside } from "../failure/SetAside.ts"
import type { StoreError } from "../failure/StoreError.ts"
import type { Terminal } from "../terminal/Terminal.ts"
import type { UnknownIds } from "../failure/UnknownIds.ts"
import type { UsageError } from "../failure/UsageError.ts"

export type Failure =
  | AuditFindings
  | ClientError.ClientError
  | ExportError.ExportError
  | NotVerified
  | SetAside
  | StoreError
  | UnknownIds
  | UsageError

export type Needs = Command.CommandContext<"deedkit"> | Environment | Invocation | Stdio.Stdio | Terminal

/** A command under `deedkit`. */
export type Subcommand<Name extends string> = Command.Command<Name, never, {}, Failure, Needs>

/** What a command does with its arguments and flags. */
export type Work<Input = {}> = (input: Input) => Effect.Effect<void, Failure, Needs>

/**
 * Work that is loaded when the command runs. Help, completions and wrong arguments are about names and flags alone, and the client, the
 * exports and what else the work needs would make up a third of the program's start.
 */
export const whenRun =
  <Input>(load: () => Promise<Work<Input>>): Work<Input> =>
  (input) =>
    Effect.flatMap(Effect.promise(load), (work) => work(input))
