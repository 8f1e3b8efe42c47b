/**
 * The connection test in words: its findings as six stages, each with an outcome and a sentence. A stage that cannot be judged because of an
 * earlier one is reported as skipped.
 */
import type { MessageName } from "../../BrowserNames.ts"
import { describe, detailOf } from "../../failures/ConnectionFailure.ts"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import type { TestFinding } from "../../messages/PageMessage.ts"

/** Every stage, in its order. */
export const stageNames = ["address", "tls", "key", "contracts", "cursor", "clock"] as const

/** A stage of the connection test. The scope stages name the scope that the endpoint needs (Spec: Endpoints). */
export interface TestStage {
  readonly stage: (typeof stageNames)[number]
  readonly outcome: "ok" | "failed" | "skipped" | "warning"
  /** A sentence for people; for a failure, it includes what they can do. */
  readonly message: string
}

type Text = (name: MessageName, ...values: ReadonlyArray<string>) => string
type Of<Tag extends TestFinding["_tag"]> = Extract<TestFinding, { readonly _tag: Tag }>

/** Difference between this machine's clock and the service's, in minutes, above which there is a warning. */
const clockMinutes = 5

const sentencesOf = (failure: Failure, text: Text): string => {
  const { advice, headline } = describe(failure, text("theService"))
  const detail = detailOf(failure)
  return `${text(...headline)}. ${text(advice)}${detail === null ? "" : ` (${detail})`}`
}

const of = (stage: TestStage["stage"], outcome: TestStage["outcome"], message: string): TestStage => ({
  stage,
  outcome,
  message,
})

/** What the first small page of contracts says about address, TLS, key and scope. */
const judgeContracts = (
  { about, failure, hasKey, origin }: Of<"Scope">,
  text: Text,
): ReadonlyArray<TestStage> => {
  const message = failure === null ? "" : sentencesOf(failure, text)
  const address = of("address", "ok", text("testAddressOk", origin))
  const tls = origin.startsWith("https:")
    ? of("tls", "ok", text("testTlsOk"))
    : of("tls", "skipped", text("testTlsNone"))
  const key = hasKey
    ? of("key", "ok", text("testKeyOk"))
    : of("key", "failed", sentencesOf({ _tag: "NoKey" }, text))
  switch (about) {
    case null:
      return [address, tls, key, of("contracts", "ok", text("testContractsOk"))]
    case "scope":
      return [address, tls, key, of("contracts", "failed", message)]
    case "key":
      return [address, tls, hasKey ? of("key", "failed", message) : key]
    case "connection":
      return [of("address", "failed", message)]
    case "address":
    case "answer":
      return [of("address", "failed", message), tls]
    default:
      return [address, tls, of("contracts", "failed", message)]
  }
}

const judgeCursor = ({ failure, found }: Of<"CursorParameter">, text: Text): TestStage => {
  if (failure !== null) return of("cursor", "failed", sentencesOf(failure, text))
  if (found?._tag === "Verified") return of("cursor", "ok", text("testCursorOk", found.parameter))
  return found?._tag === "CannotTell"
    ? of("cursor", "warning", text("testCursorUnknown"))
    : of("cursor", "failed", text("testCursorNone"))
}

const judgeClock = (aheadMillis: number, text: Text): TestStage => {
  const minutes = Math.round(Math.abs(aheadMillis) / 60_000)
  return minutes <= clockMinutes
    ? of("clock", "ok", text("testClockOk"))
    : of("clock", "warning", text("testClockOff", String(minutes)))
}

const stagesOf = (finding: TestFinding, text: Text): ReadonlyArray<TestStage> => {
  switch (finding._tag) {
    case "NotRun":
      return [of("address", "failed", sentencesOf(finding.failure, text))]
    case "Scope":
      return judgeContracts(finding, text)
    case "CursorParameter":
      return [judgeCursor(finding, text)]
    case "Clock":
      return finding.aheadMillis === null ? [] : [judgeClock(finding.aheadMillis, text)]
    case "End":
      return []
  }
}

/** Takes the findings of one test and passes on each stage once, in order. */
export const telling =
  (text: Text) =>
  (onStage: (stage: TestStage) => void): ((finding: TestFinding) => void) => {
    const left = new Set(stageNames)
    const skipUpTo = (end: TestStage["stage"] | null): void => {
      for (const stage of left) {
        if (stage === end) break
        left.delete(stage)
        onStage(of(stage, "skipped", text("testSkipped")))
      }
    }
    return (finding) => {
      for (const stage of stagesOf(finding, text)) {
        if (!left.has(stage.stage)) continue
        skipUpTo(stage.stage)
        left.delete(stage.stage)
        onStage(stage)
      }
      if (finding._tag === "End") skipUpTo(null)
    }
  }
