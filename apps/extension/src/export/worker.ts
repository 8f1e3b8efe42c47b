/** The export page's worker, registered with the browser. All long-running work happens here, so that the page stays responsive. */
import * as Database from "../index/Database.ts"
import { answer } from "./Answers.ts"
import type { WorkerRequest } from "./ExportMessage.ts"
import * as IndexReader from "./IndexReader.ts"

/** The page names the worker after the account whose records it reads. */
const reader = IndexReader.make(Database.make(indexedDB, Database.nameOf(self.name)))

globalThis.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  void answer(data, reader, (notice) => globalThis.postMessage(notice))
})
