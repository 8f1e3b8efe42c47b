/** The source of a command's lists: the service, or a mirror of it. A client of the service is a source. */
import type { ApiKey, ClientError, Contract, Page, PropertyClient } from "@deedkit/core"
import type { MirrorSource, StoredRead } from "@deedkit/export/run"
import type { ListChanges } from "@deedkit/sync"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Failure } from "../failure/Failure.ts"
import type { Session } from "./Session.ts"

/** The read of a mirror that a list comes from. */
export interface StoredList extends StoredRead {
  /** How much was read, when, and whether that is all: a clause without a full stop. */
  readonly line: string
  /** Why the list is not known to be complete, in sentences; empty if it is. */
  readonly problems: ReadonlyArray<string>
}

export interface SourceList<A> {
  /** Reads the list from its start. */
  readonly pages: (
    options?: PropertyClient.ListOptions,
  ) => Stream.Stream<Page<A>, ClientError.ClientError | Failure>
  /** Requests one record. Absent if the source sends no requests. */
  readonly get?: PropertyClient.Records<A, PropertyClient.GetContractOptions>["get"]
  /** Requests several records. Absent if the source sends no requests. */
  readonly getMany?: PropertyClient.Records<A, PropertyClient.GetContractOptions>["getMany"]
  readonly stored?: StoredList
  /** What changed in the list after a moment, ISO 8601 UTC. Absent if the source has no history. */
  readonly changesSince?: (since: string) => Effect.Effect<ListChanges, Failure>
}

export interface RecordSource extends Pick<PropertyClient.Service, "listen" | "redact"> {
  /** How requests are sent. Absent if the source sends no requests. */
  readonly config?: PropertyClient.Service["config"]
  readonly contracts: SourceList<Contract.Contract>
  readonly apiKeys: SourceList<ApiKey.ApiKey>
}

/** The session of a command that reads lists. */
export interface SourceSession extends Omit<Session, "client"> {
  readonly client: RecordSource
  /** The mirror, and when the reads of its lists began and ended. Absent if the service is read. */
  readonly mirror?: StoredSource
}

interface StoredSource extends MirrorSource {
  readonly startedAt: string
  readonly endedAt: string
}

/** The session of an open mirror. */
export interface StoredSession extends SourceSession {
  readonly mirror: StoredSource
}
