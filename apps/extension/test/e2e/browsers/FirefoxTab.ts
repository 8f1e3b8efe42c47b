/**
 * A tab of Firefox by WebDriver BiDi. Navigation does not wait for the page, because the event of an extension's page is lost when the tab
 * changes its process; the address and the document are looked at instead.
 */
import type { Bidi } from "./Bidi.ts"
import { evaluateBy, until, visible } from "./Driver.ts"
import type { Tab } from "./Driver.ts"

interface RemoteValue {
  readonly type: string
  readonly value?: unknown
  readonly sharedId?: string
}

type Evaluated =
  | { readonly type: "success"; readonly result: RemoteValue }
  | { readonly type: "exception"; readonly exceptionDetails: { readonly text: string } }

/** Names of keys that are more than a letter, as WebDriver codes them. */
const keys: { readonly [name: string]: string } = {
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  ArrowDown: "\uE015",
  ArrowUp: "\uE013",
  End: "\uE010",
  Home: "\uE011",
  Control: "\uE009",
  Shift: "\uE008",
  ArrowRight: "\uE014",
  Delete: "\uE017",
}

/** Evaluates an expression in a context, and gives what it resolves to, through JSON. */
export const run = async (bidi: Bidi, context: string, expression: string): Promise<unknown> => {
  const answer = await bidi.send<Evaluated>("script.evaluate", {
    expression: `(async () => JSON.stringify(await ${expression}))()`,
    awaitPromise: true,
    target: { context },
  })
  if (answer.type === "exception") throw new Error(`in the page: ${answer.exceptionDetails.text}`)
  const { value } = answer.result
  return typeof value === "string" ? JSON.parse(value) : undefined
}

export const make = (bidi: Bidi, context: string): Tab => {
  const runHere: Tab["run"] = (expression) => run(bidi, context, expression)
  const evaluate = evaluateBy(runHere)
  const locate = async (role: string, name: string): Promise<ReadonlyArray<RemoteValue>> => {
    const { nodes } = await bidi.send<{ nodes: ReadonlyArray<RemoteValue> }>("browsingContext.locateNodes", {
      context,
      locator: { type: "accessibility", value: { role, name } },
    })
    return nodes
  }
  /** A field by its label; passwords have no role to be found by. */
  const locateField = async (label: string): Promise<ReadonlyArray<RemoteValue>> => {
    const answer = await bidi.send<Evaluated>("script.callFunction", {
      functionDeclaration: `(label) => [...document.querySelectorAll("input, textarea, select")].filter(
        (field) => field.ariaLabel === label || [...field.labels].some(({ innerText }) => innerText.trim() === label),
      )`,
      arguments: [{ type: "string", value: label }],
      awaitPromise: false,
      target: { context },
    })
    return answer.type === "success" ? (answer.result.value as ReadonlyArray<RemoteValue>) : []
  }
  /** Evaluates an expression in the browser's own window. */
  const inBrowser = async (expression: string): Promise<unknown> => {
    const tree = await bidi.send<{ contexts: ReadonlyArray<{ context: string }> }>(
      "browsingContext.getTree",
      {
        "moz:scope": "chrome",
      },
    )
    return run(bidi, tree.contexts[0]!.context, expression)
  }
  const perform = (actions: ReadonlyArray<object>) => bidi.send("input.performActions", { context, actions })
  /** Presses the one element that is found; it is looked for again and again, because pages take a moment to show it. */
  const press = async (what: string, look: () => Promise<ReadonlyArray<RemoteValue>>): Promise<void> => {
    const [node] = await until(what, look, ({ length }) => length === 1)
    const { sharedId } = node!
    await bidi.send("script.callFunction", {
      functionDeclaration: "(node) => node.scrollIntoView({ block: 'center' })",
      arguments: [{ sharedId }],
      awaitPromise: false,
      target: { context },
    })
    const origin = { type: "element", element: { sharedId } }
    await perform([
      {
        type: "pointer",
        id: "mouse",
        actions: [
          { type: "pointerMove", x: 0, y: 0, origin },
          { type: "pointerDown", button: 0 },
          { type: "pointerUp", button: 0 },
        ],
      },
    ])
  }
  const strokes = (names: ReadonlyArray<string>) =>
    names.flatMap((name) => [
      { type: "keyDown", value: keys[name] ?? name },
      { type: "keyUp", value: keys[name] ?? name },
    ])
  const type = (actions: ReadonlyArray<object>) => perform([{ type: "key", id: "keyboard", actions }])
  return {
    goTo: async (url) => {
      await bidi.send("browsingContext.navigate", { context, url, wait: "none" })
      const isThere = () =>
        evaluate(() => [location.href, document.readyState]).catch(() => ["", "between two pages"])
      const path = new URL(url).pathname
      await until(
        `the page at ${url}`,
        isThere,
        ([href, state]) => state === "complete" && href !== "about:blank" && new URL(href!).pathname === path,
      )
    },
    run: runHere,
    evaluate,
    click: (role, name) => press(`one ${role} "${name}"`, () => locate(role, name)),
    fill: async (label, text) => {
      await press(`one field "${label}"`, () => locateField(label))
      await type([
        { type: "keyDown", value: keys["Control"] },
        ...strokes(["a"]),
        { type: "keyUp", value: keys["Control"] },
        ...strokes(["Delete", ...Array.from(text)]),
      ])
    },
    has: async (role, name) => (await locate(role, name)).length > 0,
    press: async (key) => {
      const [, held, pressed = key] = /^(Shift|Control)\+(.+)$/.exec(key) ?? []
      if (held === undefined) return void (await type(strokes([key])))
      const value = keys[held]
      await type([{ type: "keyDown", value }, ...strokes([pressed]), { type: "keyUp", value }])
    },
    point: async (x, y) => {
      await perform([{ type: "pointer", id: "mouse", actions: [{ type: "pointerMove", x, y }] }])
    },
    drag: async (from, to) => {
      const [[fromX, fromY], [toX, toY]] = [from, to]
      const actions = [
        { type: "pointerMove", x: fromX, y: fromY },
        { type: "pointerDown", button: 0 },
        { type: "pointerMove", x: Math.round((fromX + toX) / 2), y: toY, duration: 50 },
        { type: "pointerMove", x: toX, y: toY, duration: 50 },
        { type: "pointerUp", button: 0 },
      ]
      await perform([{ type: "pointer", id: "mouse", actions }])
    },
    readOut: async () => {
      await bidi.send("browsingContext.activate", { context })
      const names = await inBrowser(`(() => {
        const service = Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService)
        const names = []
        // There is none until the service, which begins with the first question, has met the page.
        const read = (accessible) => {
          if (accessible === null) return
          names.push(accessible.name ?? "")
          for (let at = 0; at < accessible.childCount; at++) read(accessible.getChildAt(at))
        }
        read(service.getAccessibleFor(gBrowser.selectedBrowser))
        return names
      })()`)
      return (names as ReadonlyArray<string>).map(visible)
    },
    setMedium: async (medium) => {
      await bidi.send("browsingContext.activate", { context })
      const override = medium === "screen" ? "" : medium
      await inBrowser(
        `(gBrowser.selectedBrowser.browsingContext.mediumOverride = ${JSON.stringify(override)})`,
      )
    },
    resize: async (width, height) => {
      await bidi.send("browsingContext.setViewport", { context, viewport: { width, height } })
    },
    setScheme: async (scheme) => {
      await bidi.send("browsingContext.activate", { context })
      await evaluate((chosen) => document.documentElement.style.setProperty("color-scheme", chosen), scheme)
    },
    screenshot: async () => {
      const { data } = await bidi.send<{ data: string }>("browsingContext.captureScreenshot", { context })
      return Buffer.from(data, "base64")
    },
    close: async () => void (await bidi.send("browsingContext.close", { context })),
  }
}
