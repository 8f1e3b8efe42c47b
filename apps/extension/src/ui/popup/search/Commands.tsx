/**
 * The commands of the search box after a `>`: actions of the popup and the extension's pages, each named like its own button. Loaded when the first
 * command is typed.
 */
import type { ExtensionPage } from "../../../BrowserNames.ts"
import type { AppState } from "../../../messages/AppState.ts"
import type { PageRequest } from "../../../messages/Requests.ts"
import type { UserError } from "../../../messages/PageMessage.ts"
import { formOf } from "../../../index/Query.ts"
import { sections } from "../../kit/Frame.tsx"
import { useEffect, useState } from "preact/hooks"
import type { CommandName } from "../../../browser-ui/Commands.ts"
import { Icon } from "../../kit/Icon.tsx"
import type { IconName } from "../../kit/Icon.tsx"
import { text, accountName } from "../../kit/Message.ts"
import * as Shortcuts from "../../state/Shortcuts.ts"
import type { Background } from "../../state/Background.ts"
import * as Tab from "../../state/Tab.ts"
import { Option, optionId } from "./Rows.tsx"

export interface Command {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** The host that it applies to. */
  readonly place?: string
  /** The browser's own name of the same command, which may have a shortcut. */
  readonly shortcut?: CommandName
  readonly does:
    /** Opens a page of the extension. */
    | { readonly open: () => Promise<void> }
    | { readonly ask: (background: Background) => Promise<AppState | UserError> }
}

type StateRequest = Extract<
  PageRequest,
  {
    type: "page.sync" | "page.stopSync" | "page.switchAccount" | "page.switchSite" | "page.setSettings"
  }
>

const asking = (request: StateRequest): Command["does"] => ({ ask: (background) => background.ask(request) })

const opening = (icon: IconName, title: string, page: ExtensionPage): Command => ({
  id: page,
  icon,
  title,
  does: { open: () => Tab.open(page) },
})

const ofSync = ({ connection, sync }: AppState): ReadonlyArray<Command> => {
  if (sync._tag === "Syncing")
    return [
      { id: "stop", icon: "close", title: text("commandStop"), does: asking({ type: "page.stopSync" }) },
    ]
  if (["NoAddress", "NoKey", "NoPermission"].includes(connection._tag)) return []
  const does = asking({ type: "page.sync" })
  return [{ id: "sync", icon: "refresh", title: text("commandSync"), shortcut: "sync", does }]
}

const ofSite = ({ baseUrl, sites }: AppState, origin: string | null): ReadonlyArray<Command> => {
  if (origin === null || baseUrl === null) return []
  const place = new URL(origin).host
  const site = sites.find((known) => known.origin === origin)
  const shortcut = { shortcut: "toggle-badges" } as const
  if (site?.isGranted === true) {
    const does = asking({ type: "page.switchSite", origin, isOn: !site.isOn })
    return [
      {
        id: "site",
        icon: "eye",
        title: text(site.isOn ? "commandHide" : "siteShow"),
        place,
        ...shortcut,
        does,
      },
    ]
  }
  const once = async (background: Background) =>
    background.ask({ type: "page.showOnce", tabId: await Tab.currentId(), origin })
  return [
    { id: "once", icon: "eye", title: text("siteOnce"), place, ...shortcut, does: { ask: once } },
    {
      ...opening("out", text("siteAdd"), `/options.html?site=${encodeURIComponent(origin)}#sites`),
      place,
    },
  ]
}

const themes = [
  ["system", "themeSystem"],
  ["light", "themeLight"],
  ["dark", "themeDark"],
] as const

/** The commands that are currently available and have every word of the text in their name. */
export const of = (state: AppState, origin: string | null, typed: string): ReadonlyArray<Command> => {
  const { account, accounts, settings } = state
  const words = formOf(typed.replace(">", "")).split(" ")
  const all: ReadonlyArray<Command> = [
    ...ofSync(state),
    ...ofSite(state, origin),
    { ...opening("table", text("commandExport"), "/export.html"), shortcut: "open-export" },
    ...accounts
      .filter(({ id }) => id !== account)
      .map((known) => ({
        id: `account ${known.id}`,
        icon: "person" as const,
        title: `${text("commandAccount")}: ${accountName(known)}`,
        does: asking({ type: "page.switchAccount", id: known.id }),
      })),
    ...themes
      .filter(([theme]) => theme !== settings.theme)
      .map(([theme, name]) => ({
        id: `theme ${theme}`,
        icon: "theme" as const,
        title: `${text("themeLabel")}: ${text(name)}`,
        does: asking({ type: "page.setSettings", settings: { theme } }),
      })),
    opening("info", text("welcomeAgain"), "/welcome.html"),
    ...sections.map(([id, title]) =>
      opening("settings", `${text("popupOptions")}: ${text(title)}`, `/options.html#${id}`),
    ),
  ]
  return all.filter(({ place = "", title }) => {
    const name = formOf(`${title} ${place}`)
    return words.every((word) => name.includes(word))
  })
}

const Line = ({
  command: { icon, place, title },
  keys,
  at,
  isActive,
  onRun,
}: {
  readonly command: Command
  /** Its shortcut, as the browser writes it; empty for none. */
  readonly keys: string
  readonly at: number
  readonly isActive: boolean
  readonly onRun: () => void
}) => (
  <Option id={optionId(at)} isActive={isActive} as="row command" onChoose={onRun}>
    <Icon name={icon} />
    <span class="row-name">{title}</span>
    {place === undefined ? null : <bdi class="command-place">{place}</bdi>}
    {keys === "" ? null : <kbd>{keys}</kbd>}
  </Option>
)

export const List = ({
  commands,
  active,
  onRun,
}: {
  readonly commands: ReadonlyArray<Command>
  readonly active: number
  readonly onRun: (command: Command) => void
}) => {
  const [shortcuts, setShortcuts] = useState<ReadonlyArray<Shortcuts.Shortcut>>([])
  useEffect(() => (Shortcuts.areThere() ? Shortcuts.watch(setShortcuts) : undefined), [])
  return (
    <div id="rows" class="rows" role="listbox" aria-label={text("commands")}>
      {commands.map((command, at) => (
        <Line
          key={command.id}
          command={command}
          keys={shortcuts.find(({ name }) => name === command.shortcut)?.keys ?? ""}
          at={at}
          isActive={at === active}
          onRun={() => onRun(command)}
        />
      ))}
    </div>
  )
}
