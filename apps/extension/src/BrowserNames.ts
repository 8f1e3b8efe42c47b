/**
 * Types the two calls of `browser` whose names are the extension's own: messages for people and files of the package. WXT leaves both
 * to types that it generates; here they come from the message file itself, so that a fresh checkout has them too.
 */
type Messages = typeof import("../public/_locales/en/messages.json")

/** The name of a message for people. */
export type MessageName = Extract<keyof Messages, string>

/** A page of the extension, with a query or a fragment if need be. */
export type ExtensionPage =
  `/${"popup" | "sidepanel" | "options" | "welcome" | "export"}.html${"" | `?${string}` | `#${string}`}`

declare module "wxt/browser" {
  interface WxtI18n {
    getMessage: (name: MessageName, substitutions?: string | Array<string>) => string
  }
  interface WxtRuntime {
    getURL: (path: ExtensionPage | "" | "/") => string
  }
}
