/** What every command of this program is: which ways of failing it has, and what it needs from the process. */
import type { ClientError } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import type * as Stdio from "effect/Stdio"
import type * as Command from "effect/cli/Command"
import type { AuditFindings } from "./AuditFindings.ts"
import type { Environment } from "./Environment.ts"
import type { Invocation } from "./Invocation.ts"
import type { SetAside } from "./SetAside.ts"
import type { StoreError } from "./StoreError.ts"
import type { Terminal } from "./Terminal.ts"
import type { UnknownIds } from "./UnknownIds.ts"
import type { UsageError } from "./UsageError.ts"

export type Failure =
  | AuditFindings
  | ClientError.ClientError
  | ExportError.ExportError
  | SetAside
  | StoreError
  | UnknownIds
  | UsageError

export type Needs = Command.CommandContext<"deedkit"> | Environment | Invocation | Stdio.Stdio | Terminal

/** A command under `deedkit`. */
export type Subcommand<Name extends string> = Command.Command<Name, never, {}, Failure, Needs>
