/** One API key that needs attention: the finding, why it matters, and what its owner can do. */
import { Icon } from "../kit/Icon.tsx"
import type { IconName } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
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

export const KeyCard = ({ finding: { findings, id, name, severity } }: { readonly finding: KeyFinding }) => {
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
