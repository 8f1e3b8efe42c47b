/** Every fault that can be set. A new one is a file beside this and a line in this list. */
import { burst } from "./burst.ts"
import { cursorConstant } from "./cursorConstant.ts"
import { cursorCycle } from "./cursorCycle.ts"
import { cursorIgnored } from "./cursorIgnored.ts"
import { cursorInclusive } from "./cursorInclusive.ts"
import { cursorRenamed } from "./cursorRenamed.ts"
import { cut } from "./cut.ts"
import { drop } from "./drop.ts"
import { duplicate } from "./duplicate.ts"
import { emptyPage } from "./emptyPage.ts"
import type { FaultOf } from "./Fault.ts"
import { gzip } from "./gzip.ts"
import { htmlError } from "./htmlError.ts"
import { huge } from "./huge.ts"
import { invalidJson } from "./invalidJson.ts"
import { keyRevoked } from "./keyRevoked.ts"
import { latency } from "./latency.ts"
import { missingField } from "./missingField.ts"
import { missingNext } from "./missingNext.ts"
import { mutate } from "./mutate.ts"
import { notJson } from "./notJson.ts"
import { nullListing } from "./nullListing.ts"
import { oddTimestamp } from "./oddTimestamp.ts"
import { okFalse } from "./okFalse.ts"
import { quota } from "./quota.ts"
import { rateLimit } from "./rateLimit.ts"
import { redirect } from "./redirect.ts"
import { scopeMissing } from "./scopeMissing.ts"
import { serverError } from "./serverError.ts"
import { slow } from "./slow.ts"
import { stall } from "./stall.ts"
import { status } from "./status.ts"
import { storm } from "./storm.ts"
import { truncatedJson } from "./truncatedJson.ts"
import { unknownStatus } from "./unknownStatus.ts"
import { wrongForm } from "./wrongForm.ts"
import { wrongRecord } from "./wrongRecord.ts"
import { wrongType } from "./wrongType.ts"

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
