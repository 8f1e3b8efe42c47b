/** A site that a settings file adds or changes: its host, whether badges are shown, and the patterns that are added and removed. */
import { useState } from "preact/hooks"
import { plural, text } from "../../kit/Message.ts"
import type { SiteChange } from "./SettingsChanges.ts"

/** The patterns of a site, rendered on demand: a file can have tens of thousands. */
const Patterns = ({
  added,
  host,
  removed,
}: {
  readonly added: ReadonlyArray<string>
  readonly host: string
  readonly removed: ReadonlyArray<string>
}) => {
  const [isOpen, setOpen] = useState(false)
  const counts = [
    ...(added.length === 0 ? [] : [plural("transferPatternsAdded", added.length)]),
    ...(removed.length === 0 ? [] : [plural("transferPatternsRemoved", removed.length)]),
  ]
  if (counts.length === 0) return null
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {counts.join(" · ")} <span class="unseen">{host}</span>
      </summary>
      {isOpen ? (
        <ul>
          {added.map((pattern) => (
            <li key={pattern}>
              <ins>
                <code dir="ltr">{pattern}</code>
              </ins>
            </li>
          ))}
          {removed.map((pattern) => (
            <li key={pattern}>
              <del>
                <code dir="ltr">{pattern}</code>
              </del>
            </li>
          ))}
        </ul>
      ) : null}
    </details>
  )
}

export const SiteEntry = ({
  change: { isNew, isOn, origin, ...patterns },
}: {
  readonly change: SiteChange
}) => {
  const { host } = new URL(origin)
  const facts = [
    text(isNew ? "transferSiteNew" : "transferSiteChanged"),
    ...(isOn === null || (isNew && isOn) ? [] : [text(isOn ? "transferBadgesOn" : "transferBadgesOff")]),
  ]
  return (
    <li>
      <bdi dir="ltr">{host}</bdi> <span class="quiet">{facts.join(" · ")}</span>
      <Patterns host={host} added={patterns.patternsAdded} removed={patterns.patternsRemoved} />
    </li>
  )
}
