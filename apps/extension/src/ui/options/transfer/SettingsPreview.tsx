/**
 * A preview of what a settings file would change: accounts with their addresses, sites with their patterns, settings, and the permissions that the
 * browser will be asked for. Hosts are shown in their ASCII form, so that letters of another alphabet cannot imitate a known name.
 */
import type { ComponentChildren, VNode } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { accountLimits } from "../../../messages/AccountMessage.ts"
import { accountName } from "../../state/AccountName.ts"
import { number, plural, text } from "../../kit/Message.ts"
import { isNone } from "./SettingsChanges.ts"
import type { SettingsChanges, SettingChange, SiteChange } from "./SettingsChanges.ts"
import type { Settings } from "../../../messages/AppState.ts"
import { intervalName } from "../../kit/Age.ts"

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

/** A site that a settings file adds or changes: its host, whether badges are shown, and the patterns that are added and removed. */
const SiteEntry = ({ change: { isNew, isOn, origin, ...patterns } }: { readonly change: SiteChange }) => {
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

const labels = {
  theme: "themeLabel",
  refreshMinutes: "intervalLabel",
  toolbarCount: "toolbarLabel",
  panel: "panelLabel",
  keyStorage: "keyStorageLabel",
} as const
const themes = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const
const panels = {
  pill: "panelPill",
  panel: "panelPanel",
  side: "panelSide",
  none: "panelNone",
} as const
const places = { device: "keyStorageDevice", session: "keyStorageSession" } as const

/** The value of each setting, in the words of its section. */
const words: { readonly [Name in keyof Settings]: (value: Settings[Name]) => string } = {
  theme: (theme) => text(themes[theme]),
  refreshMinutes: (minutes) => (minutes === null ? text("everyNever") : intervalName(minutes)),
  toolbarCount: (isShown) => text(isShown ? "transferShown" : "transferHidden"),
  panel: (panel) => text(panels[panel]),
  keyStorage: (place) => text(places[place]),
}

/** The new value and the current value. */
const settingOf = <Name extends keyof Settings>({ after, before, name }: SettingChange<Name>): string =>
  text("transferSetting", text(labels[name]), words[name](after), words[name](before))

/** Maximum number of entries that are visible at once. A longer list scrolls and can be focused with the keyboard. */
const mostSeen = 12

const List = ({ name, children }: { readonly name: string; readonly children: ReadonlyArray<VNode> }) => (
  <ul
    class={children.length > mostSeen ? "goods preview-long" : "goods"}
    {...(children.length > mostSeen ? { tabIndex: 0, "aria-label": name } : {})}
  >
    {children}
  </ul>
)

const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div class="preview-part">
    <h4>{title}</h4>
    {children}
  </div>
)

const Hosts = ({ intro, origins }: { readonly intro: string; readonly origins: ReadonlyArray<string> }) =>
  origins.length === 0 ? null : (
    <>
      <p>{intro}</p>
      <List name={intro}>
        {origins.map((origin) => (
          <li key={origin}>
            <bdi dir="ltr">{new URL(origin).host}</bdi>
          </li>
        ))}
      </List>
    </>
  )

export const SettingsPreview = ({
  changes,
  allowed,
  leftOut,
  isBusy,
  onImport,
  onCancel,
}: {
  readonly changes: SettingsChanges
  /** The origins that the browser already allows. */
  readonly allowed: ReadonlySet<string>
  /** Number of accounts of the file that exceed the limit. */
  readonly leftOut: number
  readonly isBusy: boolean
  readonly onImport: () => void
  readonly onCancel: () => void
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const { accounts, origins, settings, sites } = changes
  const isEmpty = isNone(changes)
  const hasForeignLetters = origins.some((origin) => new URL(origin).host.includes("xn--"))
  return (
    <div
      class="preview"
      role="group"
      aria-labelledby="transfer-question"
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel()
      }}
    >
      <h3 id="transfer-question" ref={heading} tabIndex={-1}>
        {text(isEmpty ? "transferNothing" : "transferQuestion")}
      </h3>
      {accounts.length === 0 ? null : (
        <Part title={text("optionsAccounts")}>
          <List name={text("optionsAccounts")}>
            {accounts.map((account) => (
              <li key={account.id}>
                <bdi>{accountName(account)}</bdi>{" "}
                <span class="quiet">
                  {text(account.isNew ? "transferAccountNew" : "transferAccountFilled")}
                </span>
                <br />
                <bdi dir="ltr">{account.baseUrl}</bdi>
              </li>
            ))}
          </List>
        </Part>
      )}
      {sites.length === 0 ? null : (
        <Part title={text("optionsSites")}>
          <List name={text("optionsSites")}>
            {sites.map((site) => (
              <SiteEntry key={site.origin} change={site} />
            ))}
          </List>
        </Part>
      )}
      {settings.length === 0 ? null : (
        <Part title={text("transferChoices")}>
          <List name={text("transferChoices")}>
            {settings.map((setting) => (
              <li key={setting.name}>{settingOf(setting)}</li>
            ))}
          </List>
        </Part>
      )}
      {origins.length === 0 ? null : (
        <Part title={text("transferGrants")}>
          <Hosts intro={text("transferAsked")} origins={origins.filter((origin) => !allowed.has(origin))} />
          <Hosts intro={text("transferGranted")} origins={origins.filter((origin) => allowed.has(origin))} />
          {hasForeignLetters ? <p class="form-loss">{text("transferForeign")}</p> : null}
        </Part>
      )}
      {leftOut === 0 ? null : <p>{plural("transferLeftOut", leftOut, number(accountLimits.mostAccounts))}</p>}
      {accounts.length === 0 ? null : <p>{text("transferNoKey")}</p>}
      <p class="form-end">
        {isEmpty ? null : (
          <button type="button" class="button button-main" disabled={isBusy} onClick={onImport}>
            {text(isBusy ? "busy" : "transferImport")}
          </button>
        )}
        <button type="button" class="button" onClick={onCancel}>
          {text(isEmpty ? "transferClose" : "exportCancel")}
        </button>
      </p>
    </div>
  )
}
