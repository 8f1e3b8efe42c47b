/**
 * A browser with the extension in it, as the end-to-end tests drive it. One small interface over two browsers: what it cannot say, no
 * test does. Elements are found as people and screen readers find them, by role and name.
 */

type Scheme = "light" | "dark"

/** A tab. Functions that are evaluated in it are sent as text: they may use their arguments and nothing around them. */
export interface Tab {
  readonly goTo: (url: string) => Promise<void>
  /** Evaluates an expression, given as text, and gives what it resolves to, through JSON. */
  readonly run: (expression: string) => Promise<unknown>
  readonly evaluate: <Args extends ReadonlyArray<unknown>, A>(
    act: (...args: Args) => A | Promise<A>,
    ...args: Args
  ) => Promise<A>
  /** Presses the one element of this role and accessible name, as a user would. */
  readonly click: (role: string, name: string) => Promise<void>
  /** Replaces the text of the field with this label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** What its page and the scripts beside it have thrown or said on the console as errors. */
  readonly errors: ReadonlyArray<string>
  /** Brings the tab to the front. */
  readonly show: () => Promise<void>
  /** Whether there is an element of this role and accessible name. */
  readonly has: (role: string, name: string) => Promise<boolean>
  /** Presses a key, named as the `key` of its event; `Shift+Tab` and `Control+a` hold the first while they press the second. */
  readonly press: (key: string) => Promise<void>
  /** Rests the pointer at a place of the window. */
  readonly point: (x: number, y: number) => Promise<void>
  /** Presses the pointer at a place of the window, and moves it to another one before it lets go. */
  readonly drag: (from: readonly [x: number, y: number], to: readonly [x: number, y: number]) => Promise<void>
  /** What a screen reader is given of the page: the names and texts of its accessibility tree, in order. */
  readonly readOut: () => Promise<ReadonlyArray<string>>
  /** Shows the page as it is on a screen or on paper. */
  readonly setMedium: (medium: "screen" | "print") => Promise<void>
  /** Makes the window this large, in pixels. */
  readonly resize: (width: number, height: number) => Promise<void>
  readonly setScheme: (scheme: Scheme) => Promise<void>
  /** Makes the processor of the tab's process so many times slower; 1 is its own speed. Firefox has no way to do so, and rejects. */
  readonly slowDown: (times: number) => Promise<void>
  /** How long the main thread of the page has worked until now, and how large its heap is once nothing unused is left in it. Only Chromium can say. */
  readonly use: () => Promise<{ readonly millis: number; readonly bytes: number }>
  /** What the window shows, as PNG. */
  readonly screenshot: () => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

export interface Suggestion {
  readonly content: string
  readonly description: string
}

/** What is around the pages, set off as far inside the browser as it lets anyone. */
export interface Outside {
  /** Runs a command of the extension, as its keys do. */
  readonly command: (name: string) => Promise<void>
  /** What the address bar suggests after the keyword. */
  readonly suggestions: (typed: string) => Promise<ReadonlyArray<Suggestion>>
  /** Enters a text after the keyword, for a new tab. */
  readonly enter: (entered: string) => Promise<void>
  /** Chooses an item of the extension in the menu of a link or a selected text. */
  readonly choose: (
    item: string,
    clicked: { readonly linkUrl?: string; readonly selectionText?: string },
  ) => Promise<void>
  /** Clicks a notification of the extension. */
  readonly clickNotification: (id: string) => Promise<void>
}

export interface Driver {
  readonly name: "Chromium" | "Firefox"
  /** Of the extension's pages, without a last slash; another one after each installation in Firefox. Throws while there is no extension. */
  readonly origin: string
  /** Installs the extension of a folder; an update writes the newer one into it. */
  readonly install: (folder: string) => Promise<void>
  /** Takes the extension out, with everything that it stored, and closes all tabs but an empty one. */
  readonly uninstall: () => Promise<void>
  readonly open: (url: string) => Promise<Tab>
  /** The addresses of all tabs. */
  readonly addresses: () => Promise<ReadonlyArray<string>>
  /** The tab that shows an address beginning like this, once there is one, brought to the front: pages rest while nobody sees them. */
  readonly tabAt: (beginning: string) => Promise<Tab>
  readonly outside: Outside
  /** Stops the background, as browsers do to idle ones; the next event wakes it. */
  readonly killBackground: () => Promise<void>
  /** Puts the extension of a folder in the place of this one, as an update does: same profile, same open tabs, but the extension's own. */
  readonly update: (extension: string) => Promise<void>
  readonly setOffline: (isOffline: boolean) => Promise<void>
  /** Resolves when the browser has ended, whoever ended it. */
  readonly gone: Promise<void>
  /** Ends the browser, by force when it does not end by itself. */
  readonly close: () => Promise<void>
}

export interface LaunchOptions {
  /** An empty folder for the browser's profile. */
  readonly profile: string
  /** Whether a window is shown; default false. */
  readonly isVisible?: boolean
  /** Whether Ctrl-C ends the browser and this process at once. Default true; a program that has more to end says false. */
  readonly endsOnInterrupt?: boolean
}

/** `evaluate` of a tab, by its `run`. */
export const evaluateBy =
  (run: Tab["run"]): Tab["evaluate"] =>
  async (act, ...given) =>
    (await run(`(${act.toString()})(...${JSON.stringify(given)})`)) as never

/** A text without the spaces of no width in it, and those around it. */
export const visible = (text: string): string => text.replaceAll("\u200B", "").trim()

const patienceMillis = 30_000

/** Milliseconds to the next look: soon at first, and seldom after seconds, since each look takes the browser's time. */
const nextLook = (elapsedMillis: number): number => Math.min(250, 20 + elapsedMillis / 10)

/** Looks again and again until `look` gives what `isWanted` accepts; fails with what it saw last. */
export const until = async <A>(
  what: string,
  look: () => Promise<A>,
  isWanted: (seen: A) => boolean,
  withinMillis = patienceMillis,
): Promise<A> => {
  const started = Date.now()
  for (;;) {
    const seen = await look()
    if (isWanted(seen)) return seen
    const elapsed = Date.now() - started
    if (elapsed > withinMillis)
      throw new Error(`waited ${withinMillis} ms for: ${what}; seen last: ${JSON.stringify(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, nextLook(elapsed)))
  }
}
