/**
 * The commands of the search box after a `>`: actions of the popup and the extension's pages, each named like its own button. Loaded when the first
 * command is typed.
 */
import type { ExtensionPage, MessageName } from "../../../BrowserNames.ts"
import type { AppState } from "../../../messages/AppState.ts"
import type { PageRequest } from "../../../messages/PageMessage.ts"
import type { UserError } from "../../../messages/UserError.ts"
import { formOf } from "../../../index/Query.ts"
import { sections } from "../../kit/Section.tsx"
import { text } from "../../kit/Message.ts"
import { accountName } from "../../state/AccountName.ts"
import type { Background } from "../../state/Background.ts"
import * as Tab from "../../state/Tab.ts"
import { Option } from "./Option.tsx"
import { optionId } from "./Rows.tsx"

export interface Command {
  readonly id: string
  readonly title: string
  /** What it applies to: a host or a page's name. */
  readonly place?: string
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

const opening = (title: MessageName, page: ExtensionPage, place?: string): Command => ({
  id: page,
  title: text(title),
  ...(place === undefined ? {} : { place }),
  does: { open: () => Tab.open(page) },
})

const ofSync = ({ connection, sync }: AppState): ReadonlyArray<Command> => {
  if (sync._tag === "Syncing")
    return [{ id: "stop", title: text("commandStop"), does: asking({ type: "page.stopSync" }) }]
  if (["NoAddress", "NoKey", "NoPermission"].includes(connection._tag)) return []
  return [{ id: "sync", title: text("commandSync"), does: asking({ type: "page.sync" }) }]
}

const ofSite = ({ baseUrl, sites }: AppState, origin: string | null): ReadonlyArray<Command> => {
  if (origin === null || baseUrl === null) return []
  const place = new URL(origin).host
  const site = sites.find((known) => known.origin === origin)
  if (site?.isGranted === true) {
    const does = asking({ type: "page.switchSite", origin, isOn: !site.isOn })
    return [
      { id: "site", title: text(site.isOn ? "commandHide" : "siteShow"), place, does },
      { id: "teach", title: text("teachTitle"), place, does: { open: () => Tab.openTeaching(origin) } },
    ]
  }
  const once = async (background: Background) =>
    background.ask({ type: "page.showOnce", tabId: await Tab.currentId(), origin })
  return [
    { id: "once", title: text("siteOnce"), place, does: { ask: once } },
    opening("siteAdd", `/options.html?site=${encodeURIComponent(origin)}#sites`, place),
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
    opening("commandExport", "/export.html"),
    ...accounts
      .filter(({ id }) => id !== account)
      .map((known) => ({
        id: `account ${known.id}`,
        title: text("commandAccount"),
        place: accountName(known),
        does: asking({ type: "page.switchAccount", id: known.id }),
      })),
    ...themes
      .filter(([theme]) => theme !== settings.theme)
      .map(([theme, name]) => ({
        id: `theme ${theme}`,
        title: text("themeLabel"),
        place: text(name),
        does: asking({ type: "page.setSettings", settings: { theme } }),
      })),
    opening("welcomeAgain", "/welcome.html"),
    ...sections.map(([id, title]) => opening("popupOptions", `/options.html#${id}`, text(title))),
  ]
  return all.filter(({ place = "", title }) => {
    const name = formOf(`${title} ${place}`)
    return words.every((word) => name.includes(word))
  })
}

const Line = ({
  command: { place, title },
  at,
  isActive,
  onRun,
}: {
  readonly command: Command
  readonly at: number
  readonly isActive: boolean
  readonly onRun: () => void
}) => (
  <Option id={optionId(at)} isActive={isActive} as="row command" onChoose={onRun}>
    <span class="row-name">{title}</span>
    {place === undefined ? null : <bdi class="command-place">{place}</bdi>}
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
}) => (
  <div id="rows" class="rows" role="listbox" aria-label={text("commands")}>
    {commands.map((command, at) => (
      <Line
        key={command.id}
        command={command}
        at={at}
        isActive={at === active}
        onRun={() => onRun(command)}
      />
    ))}
  </div>
)
