/** Every fault that can be set. A new fault needs a file beside this one and a line in this list. */
import { burst } from "./refusals/burst.ts"
import { cursorConstant } from "./cursors/cursorConstant.ts"
import { cursorCycle } from "./cursors/cursorCycle.ts"
import { cursorIgnored } from "./cursors/cursorIgnored.ts"
import { cursorInclusive } from "./cursors/cursorInclusive.ts"
import { cursorRenamed } from "./cursors/cursorRenamed.ts"
import { cut } from "./delivery/cut.ts"
import { drop } from "./delivery/drop.ts"
import { duplicate } from "./cursors/duplicate.ts"
import { emptyPage } from "./cursors/emptyPage.ts"
import type { FaultOf } from "./fault/Fault.ts"
import { gzip } from "./delivery/gzip.ts"
import { htmlError } from "./bodies/htmlError.ts"
import { huge } from "./delivery/huge.ts"
import { invalidJson } from "./bodies/invalidJson.ts"
import { keyRevoked } from "./refusals/keyRevoked.ts"
import { latency } from "./delivery/latency.ts"
import { missingField } from "./records/missingField.ts"
import { missingNext } from "./cursors/missingNext.ts"
import { mutate } from "./cursors/mutate.ts"
import { notJson } from "./bodies/notJson.ts"
import { nullListing } from "./records/nullListing.ts"
import { oddTimestamp } from "./records/oddTimestamp.ts"
import { okFalse } from "./bodies/okFalse.ts"
import { quota } from "./refusals/quota.ts"
import { rateLimit } from "./refusals/rateLimit.ts"
import { redirect } from "./refusals/redirect.ts"
import { scopeMissing } from "./refusals/scopeMissing.ts"
import { serverError } from "./refusals/serverError.ts"
import { slow } from "./delivery/slow.ts"
import { stall } from "./delivery/stall.ts"
import { status } from "./refusals/status.ts"
import { storm } from "./refusals/storm.ts"
import { truncatedJson } from "./bodies/truncatedJson.ts"
import { unknownStatus } from "./records/unknownStatus.ts"
import { wrongForm } from "./bodies/wrongForm.ts"
import { wrongRecord } from "./records/wrongRecord.ts"
import { wrongType } from "./records/wrongType.ts"

/** The registry. */
export const kinds = [
  latency,
  rateLimit,
  storm,
  quota,
  serverError,
  burst,
  status,
  drop,
  cut,
  slow,
  stall,
  huge,
  gzip,
  notJson,
  htmlError,
  okFalse,
  invalidJson,
  truncatedJson,
  redirect,
  wrongForm,
  wrongRecord,
  unknownStatus,
  missingField,
  wrongType,
  nullListing,
  oddTimestamp,
  missingNext,
  cursorIgnored,
  cursorRenamed,
  cursorInclusive,
  cursorConstant,
  cursorCycle,
  emptyPage,
  duplicate,
  mutate,
  scopeMissing,
  keyRevoked,
] as const

/** A fault as data: `{ name: "rate-limit", retryAfter: 1, when: { requests: [3] } }`. */
export type Fault = { [K in keyof typeof kinds]: FaultOf<(typeof kinds)[K]> }[number]
