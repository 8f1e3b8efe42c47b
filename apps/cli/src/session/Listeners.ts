/** What listens to the events of every client of a command: the debug bundle, and the log of `--log`. */
import type { ClientEvent } from "@deedkit/core"
import * as Context from "effect/Context"

export const Listeners: Context.Reference<ReadonlyArray<ClientEvent.Listener>> = Context.Reference<
  ReadonlyArray<ClientEvent.Listener>
>("deedkit/Listeners", { defaultValue: () => [] })
