/** The end of an audit that was told to fail when it finds something: the findings were given out before. */
import * as Data from "effect/Data"
import { count } from "../terminal/Figures.ts"

export class AuditFindings extends Data.TaggedError("AuditFindings")<{ readonly findings: number }> {
  override get message(): string {
    return `The audit has ${count(this.findings, "finding", "findings")}.`
  }

  override toJSON(): object {
    return { error: this._tag, message: this.message, findings: this.findings }
  }
}
