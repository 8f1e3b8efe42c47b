/**
 * The platform for `effect/cli`: the standard streams and paths of the process. It needs files, prompts and other programs only for kinds of flags
 * that this program does not use, and loading Node's modules for them would take a twentieth of the start time.
 */
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Terminal from "effect/Terminal"
import type * as Command from "effect/cli/Command"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"

const unused = Effect.die(new Error("No command of this program uses this part of the platform"))

export const layer: Layer.Layer<Command.Environment> = Layer.mergeAll(
  NodeStdio.layer,
  Path.layer,
  FileSystem.layerNoop({}),
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: unused,
      size: unused,
      rows: unused,
      readInput: unused,
      readLine: unused,
      display: () => unused,
    }),
  ),
  Layer.succeed(
    ChildProcessSpawner.ChildProcessSpawner,
    ChildProcessSpawner.make(() => unused),
  ),
)
