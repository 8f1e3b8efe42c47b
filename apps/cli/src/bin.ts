#!/usr/bin/env node
/** Wiring only: the process's arguments, environment and streams, and its exit code. */
import { enableCompileCache } from "node:module"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Environment from "./Environment.ts"
import * as ExitCode from "./ExitCode.ts"
import { main } from "./Main.ts"
import * as Terminal from "./Terminal.ts"

enableCompileCache()

const services = Layer.mergeAll(NodeServices.layer, Layer.provideMerge(Terminal.layer, Environment.layer))

NodeRuntime.runMain(Effect.provide(main(process.argv.slice(2)), services), {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(ExitCode.ofExit(exit)),
})
