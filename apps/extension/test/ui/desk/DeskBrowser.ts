/**
 * The browser of a page on the desk: its messages, permissions that its user grants or denies, and storage that it protects or not. Stands
 * before the page's modules look for it.
 */
import messages from "../../../public/_locales/en/messages.json" with { type: "json" }

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

const texts: { readonly [name: string]: Message } = messages

const getMessage = (name: string, values: ReadonlyArray<string> = []): string => {
  const { message = "", placeholders = {} } = texts[name] ?? {}
  return message
    .replace(/\$([A-Za-z_]+)\$/g, (_, known: string) => placeholders[known.toLowerCase()]?.content ?? "")
    .replace(/\$(\d)/g, (_, position: string) => values[Number(position) - 1] ?? "")
}

interface Permissions {
  readonly origins?: ReadonlyArray<string>
  readonly permissions?: ReadonlyArray<string>
}

/** The browser's permissions: what was asked for, whether the user says yes, and whether notifications are allowed. */
export const grants = { asked: [] as Array<string>, isAllowed: true, notifies: false }

type Hear = () => void
const heard = new Set<Hear>()
const event = {
  addListener: (hear: Hear) => void heard.add(hear),
  removeListener: (hear: Hear) => void heard.delete(hear),
}

/** Allows notifications, or not, as the browser's own settings do. */
export const setNotifies = (notifies: boolean): void => {
  grants.notifies = notifies
  heard.forEach((hear) => hear())
}

const permissions = {
  request: ({ origins = [], permissions = [] }: Permissions) => {
    grants.asked.push(...origins, ...permissions)
    if (permissions.length > 0 && grants.isAllowed) setNotifies(true)
    return Promise.resolve(grants.isAllowed)
  },
  contains: ({ origins }: Permissions) =>
    Promise.resolve(origins === undefined ? grants.notifies : grants.isAllowed),
  remove: () => {
    setNotifies(false)
    return Promise.resolve(true)
  },
  onAdded: event,
  onRemoved: event,
}

/** The browser's storage: whether it is protected, how often that was asked for, and what is answered. */
export const storage = {
  asked: 0,
  persisted: (): Promise<boolean> => Promise.resolve(false),
  persist: (): Promise<boolean> => Promise.resolve(false),
}

/** The tabs that are open, and the links that a script reads from each. */
export const tabs = {
  open: [] as ReadonlyArray<{
    readonly id: number
    readonly url: string
    readonly lastAccessed?: number
    readonly discarded?: boolean
  }>,
  links: {} as { readonly [id: number]: ReadonlyArray<string> },
}

const scripting = {
  executeScript: ({ target }: { readonly target: { readonly tabId: number } }) =>
    Promise.resolve([{ result: tabs.links[target.tabId] }]),
}

Object.defineProperty(navigator, "storage", {
  configurable: true,
  value: {
    persisted: () => storage.persisted(),
    persist: () => {
      storage.asked += 1
      return storage.persist()
    },
  },
})
Object.assign(globalThis, {
  browser: {
    runtime: { id: "deedkit-test" },
    i18n: { getMessage },
    permissions,
    scripting,
    tabs: { query: () => Promise.resolve(tabs.open) },
  },
})
