/**
 * A preview of what a settings file would change: accounts with their addresses, sites with their patterns, settings, and the permissions that the
 * browser will be asked for. Hosts are shown in their ASCII form, so that letters of another alphabet cannot imitate a known name.
 */
import type { ComponentChildren, VNode } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { accountLimits } from "../../../messages/AccountMessage.ts"
import { accountName } from "../../state/AccountName.ts"
import { number, plural, text } from "../../kit/Message.ts"
import { isNone } from "./SettingsChanges.ts"
import type { SettingsChanges } from "./SettingsChanges.ts"
import { settingOf } from "./SettingWords.ts"
import { SiteEntry } from "./SiteEntry.tsx"

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
