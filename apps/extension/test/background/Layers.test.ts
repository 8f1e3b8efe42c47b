import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { IDBFactory } from "fake-indexeddb"
import { expect, it, onTestFinished, vi } from "vitest"
import * as Layers from "../../src/background/Layers.ts"
import * as Database from "../../src/index/Database.ts"
import * as FakePlatform from "./FakePlatform.ts"

it("says nothing on a console, whatever is logged", async () => {
  const methods = ["log", "info", "warn", "error", "debug"] as const
  const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => {}))
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  const platform = FakePlatform.make(() => Promise.reject(new Error("no network")))
  const shared = ManagedRuntime.make(Layers.shared({ platform, databaseOf: Database.each(new IDBFactory()) }))
  await shared.runPromise(Effect.logFatal("a key"))
  await shared.dispose()
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
})
