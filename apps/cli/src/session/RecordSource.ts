/** Where a command has its lists from: the service, or a mirror of it. A client of the service is one. */
import type { ApiKey, ClientError, Contract, Page, PropertyClient } from "@deedkit/core"
import type { MirrorSource, StoredRead } from "@deedkit/export/run"
import type * as Stream from "effect/Stream"
import type { Failure } from "../failure/Failure.ts"
import type { Session } from "./Session.ts"

/** The read of a mirror that a list is from. */
export interface StoredList extends StoredRead {
  /** How much it read, when, and whether that is all: a clause without its full stop. */
  readonly line: string
  /** Why it is not known to be everything, in sentences; empty where it is. */
  readonly problems: ReadonlyArray<string>
}

export interface SourceList<A> {
  /** A read from its start. */
  readonly pages: (
    options?: PropertyClient.ListOptions,
  ) => Stream.Stream<Page<A>, ClientError.ClientError | Failure>
  /** Requests one record. Absent where nothing can be requested. */
  readonly get?: PropertyClient.Records<A, PropertyClient.GetContractOptions>["get"]
  readonly stored?: StoredList
}

export interface RecordSource extends Pick<PropertyClient.Service, "listen" | "redact"> {
  /** How requests are sent. Absent where nothing can be requested. */
  readonly config?: PropertyClient.Service["config"]
  readonly contracts: SourceList<Contract.Contract>
  readonly apiKeys: SourceList<ApiKey.ApiKey>
}

/** What a command that reads lists works with. */
export interface SourceSession extends Omit<Session, "client"> {
  readonly client: RecordSource
  /** The mirror, and when the reads of its lists began and ended. Absent where the service is read. */
  readonly mirror?: StoredSource
}

interface StoredSource extends MirrorSource {
  readonly startedAt: string
  readonly endedAt: string
}

/** A mirror that was opened. */
export interface StoredSession extends SourceSession {
  readonly mirror: StoredSource
}
