/**
 * The audit of the account's API keys: requests their records from the service when it is opened, and shows the keys that need attention. The records
 * hold no secret and are not saved; only the number of these keys is, for the line in the popup.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import type { ApiKeysAnswer } from "../../messages/PageMessage.ts"
import * as Advice from "../advice/Advice.ts"
import type { Step } from "../../failures/FailureButtons.ts"
import * as Age from "../kit/Age.ts"
import { Icon, Mark } from "../kit/Icon.tsx"
import { useAction, useAppState, useBackground, useNow } from "../state/Live.ts"
import { number, plural, text } from "../kit/Message.ts"
import { Notice, ErrorNotice } from "../advice/Notice.tsx"
import * as KeyFindings from "./KeyFindings.ts"
import * as KeyLook from "./KeyLook.ts"
import type { IconName } from "../kit/Icon.tsx"
import type { MessageName } from "../../BrowserNames.ts"
import { advice, sentence } from "./KeyFindings.ts"
import type { KeyFinding } from "./KeyFindings.ts"

const urgencies = {
  high: ["warning", "auditHigh"],
  medium: ["wait", "auditMedium"],
  low: ["info", "auditLow"],
} as const satisfies { readonly [Severity in KeyFinding["severity"]]: readonly [IconName, MessageName] }

/** Longest name, in characters; a heading cannot show more. */
const longestName = 120

/** One API key that needs attention: the finding, why it matters, and what its owner can do. */
const KeyCard = ({ finding: { findings, id, name, severity } }: { readonly finding: KeyFinding }) => {
  const [icon, urgency] = urgencies[severity]
  const shown = name.trim().slice(0, longestName)
  return (
    <li class="key-card" data-severity={severity}>
      <header class="key-card-header">
        <h2>{shown === "" ? text("auditNoName") : <bdi>{shown}</bdi>}</h2>
        <p class="key-card-urgency">
          <Icon name={icon} />
          {text(urgency)}
        </p>
      </header>
      <p class="quiet">{text("auditKey", String(id))}</p>
      <ul class="key-card-findings">
        {findings.map((finding) => (
          <li key={finding.rule}>
            <strong>{sentence(finding)}</strong> {advice(finding)}
          </li>
        ))}
      </ul>
    </li>
  )
}

interface Looked extends Pick<ApiKeysAnswer, "readAt" | "complete"> {
  readonly keys: number
  readonly findings: ReadonlyArray<KeyFindings.KeyFinding>
}

const look = ({ apiKeys, complete, readAt }: ApiKeysAnswer): Looked => ({
  complete,
  readAt,
  keys: KeyFindings.recordsOf(apiKeys).length,
  findings: KeyFindings.of(apiKeys, new Date(readAt)),
})

const Summary = ({ looked }: { readonly looked: Looked }) => {
  const { complete, findings, keys, readAt } = looked
  return (
    <div class="audit-summary" role="status">
      <p>
        {findings.length === 0 ? (
          <>
            <strong>{text("auditNone")}</strong> {plural("auditNoneOf", keys)}
          </>
        ) : (
          <strong>{text("auditFound", number(findings.length), number(keys))}</strong>
        )}{" "}
        <span class="quiet">{text("auditReadAt", Age.moment(readAt))}</span>
      </p>
      {complete ? null : <p class="audit-incomplete">{text("auditIncomplete")}</p>}
    </div>
  )
}

/** Whether a request is possible: there is an address, a key, and permission to reach the service. */
const canAsk = ({ connection }: AppState): boolean =>
  !["NoAddress", "NoKey", "Locked", "NoPermission"].includes(connection._tag)

const Loaded = ({ state }: { readonly state: AppState }) => {
  const background = useBackground()
  const now = useNow()
  const [looked, setLooked] = useState<Looked | null>(null)
  const account = KeyLook.accountOf(state)
  const reading = useAction<ApiKeysAnswer>((answer) => {
    const found = look(answer)
    if (account !== null) KeyLook.keep(account, Date.now(), found.findings.length)
    setLooked(found)
  })
  const read = (): void => reading.run(() => background.ask({ type: "page.apiKeys" }))
  const mayAsk = canAsk(state)
  const asked = useRef<string | null>(null)
  useEffect(() => {
    if (!mayAsk) setLooked(null)
    if (!mayAsk || asked.current === account) return
    asked.current = account
    read()
  }, [mayAsk, account])

  const advice = Advice.of(state, now)
  const take = (step: Step): void => {
    if (step === "sync") void background.ask({ type: "page.sync" })
    else location.assign(step === "setUp" ? "/welcome.html" : `/options.html#${step}`)
  }
  if (!mayAsk) return advice === null ? null : <Notice advice={advice} onStep={take} />
  return (
    <>
      <div class="audit-header">
        <p>{text("auditIntro")}</p>
        <button type="button" class="button" disabled={reading.isBusy} onClick={read}>
          <Icon name="refresh" />
          {text("auditAgain")}
        </button>
      </div>
      <ErrorNotice error={reading.error} />
      {reading.isBusy ? (
        <p class="quiet" role="status">
          {text("auditReading")}
        </p>
      ) : looked === null ? null : (
        <Summary looked={looked} />
      )}
      {looked === null || looked.findings.length === 0 ? null : (
        <ul class="key-cards">
          {looked.findings.map((finding) => (
            <KeyCard key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
    </>
  )
}

export const Audit = () => {
  const [state] = useAppState()
  return (
    <div class="page audit-page">
      <header class="page-header">
        <Mark />
        <h1>{text("auditTitle")}</h1>
        <a class="page-link" href="/options.html">
          {text("exportToOptions")}
        </a>
      </header>
      <main class="page-main" aria-busy={state === null}>
        {state === null ? (
          <p class="quiet" role="status">
            {text("loading")}
          </p>
        ) : (
          <Loaded state={state} />
        )}
      </main>
    </div>
  )
}
