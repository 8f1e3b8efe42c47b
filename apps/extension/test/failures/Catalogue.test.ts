import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { MessageName } from "../../src/BrowserNames.ts"
import { errorOfState } from "../../src/background/Failures.ts"
import { needOf } from "../../src/browser-ui/Toolbar.ts"
import { actionError, actionFailures, exportFailures } from "../../src/failures/ActionFailure.ts"
import type { ActionReason } from "../../src/failures/ActionFailure.ts"
import * as ConnectionFailure from "../../src/failures/ConnectionFailure.ts"
import { buttonsOf } from "../../src/failures/ConnectionFailure.ts"
import { unset } from "../ui/gallery/Worlds.ts"

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

/** Messages as a browser gives them: a placeholder without a value stays empty, which the brackets make visible. */
const textIn = (locale: string) => {
  const path = join(import.meta.dirname, "..", "..", "public", "_locales", locale, "messages.json")
  const messages = JSON.parse(readFileSync(path, "utf8")) as { readonly [name: string]: Message }
  return (name: MessageName, ...values: ReadonlyArray<string>): string => {
    const { message, placeholders = {} } = messages[name]!
    return message.replace(/\$(\w+)\$/g, (_, placeholder: string) => {
      const place = Number(placeholders[placeholder.toLowerCase()]?.content.slice(1))
      return `[${values[place - 1] ?? ""}]`
    })
  }
}
const languages = ["en", "el", "pt_PT"].map((locale) => [locale, textIn(locale)] as const)

/** Sentences, each with its full stop and with every placeholder filled. */
const expectSentences = (text: string): void => {
  expect(text).toMatch(/\S[.)]$/)
  expect(text).not.toMatch(/\[\]|\$/)
}

type Failures = {
  readonly [Tag in ConnectionFailure.Failure["_tag"]]: Extract<ConnectionFailure.Failure, { _tag: Tag }>
}
const failures: Failures = {
  NoAddress: { _tag: "NoAddress" },
  NoKey: { _tag: "NoKey" },
  NoPermission: { _tag: "NoPermission", origin: "https://api.example.test" },
  WrongKey: { _tag: "WrongKey" },
  MissingScope: { _tag: "MissingScope", scope: "read:contracts" },
  RateLimited: { _tag: "RateLimited", until: null },
  Offline: { _tag: "Offline" },
  Unreachable: { _tag: "Unreachable" },
  ServerFault: { _tag: "ServerFault", status: 503 },
  UnreadableData: { _tag: "UnreadableData", detail: "NotTheApi · status: 200" },
  StorageFailed: { _tag: "StorageFailed" },
  CursorUntrusted: { _tag: "CursorUntrusted", detail: "CursorIgnored" },
}
const cases: ReadonlyArray<ConnectionFailure.Failure> = [
  ...Object.values(failures),
  { _tag: "MissingScope", scope: null },
]

describe("the catalogue of connection failures", () => {
  it.each(cases)("has a headline, advice and a way out for %j", (failure) => {
    const { headline } = ConnectionFailure.describe(failure, "api.example.test")
    const [tone, ...buttons] = buttonsOf[failure._tag]
    // Only a pause that ends by itself has no button.
    if (ConnectionFailure.needsUser(failure) || tone !== "wait") expect(buttons).not.toEqual([])
    expect(new Set(buttons).size).toBe(buttons.length)
    for (const [, text] of languages) {
      const { advice, message } = errorOfState(failure, text)
      expectSentences(message)
      expectSentences(advice)
      expect(text(...headline)).not.toMatch(/\.$/)
    }
  })

  it.each(cases)("gives the toolbar the same headline for %j, where the user is needed", (failure) => {
    const { headline } = ConnectionFailure.describe(failure, "")
    const isNeeded = ConnectionFailure.needsUser(failure)
    for (const [, text] of languages) {
      const need = needOf({ connection: failure, index: unset.index }, text)
      expect(need).toBe(isNeeded ? text(...headline) : null)
    }
  })

  it("adds the facts of an error that has some", () => {
    const [, text] = languages[0]!
    expect(errorOfState(failures.UnreadableData, text).advice).toMatch(/\. \(NotTheApi · status: 200\)$/)
    expect(errorOfState(failures.WrongKey, text).advice).not.toContain("(")
  })
})

/** Reasons whose messages have placeholders, with values for the headline and for the advice. */
const values: {
  readonly [Reason in ActionReason]?: readonly [ReadonlyArray<string>, ReadonlyArray<string>]
} = {
  PermissionDenied: [["homes.example"], []],
  PatternInvalid: [["homes"], []],
  ContractGone: [["7"], []],
  LinksFull: [["1000"], []],
  AccountsFull: [["20"], []],
  FileTooLarge: [[], ["20"]],
}

describe("the catalogue of failed actions", () => {
  it.each(Object.keys(actionFailures) as ReadonlyArray<ActionReason>)(
    "says what happened and what to do for %s",
    (reason) => {
      const [ofHeadline, ofAdvice] = values[reason] ?? [[], []]
      for (const [, text] of languages) {
        const { advice, message } = actionError(text, reason, ofHeadline, ofAdvice)
        expectSentences(message)
        expectSentences(advice)
        for (const value of ofHeadline) expect(message).toContain(`[${value}]`)
        for (const value of ofAdvice) expect(advice).toContain(`[${value}]`)
      }
    },
  )

  it("has other words for each reason", () => {
    const said = Object.values(actionFailures).map((messages) => messages.join())
    expect(new Set(said).size).toBe(said.length)
  })
})

describe("the catalogue of failed exports", () => {
  it.each(Object.entries(exportFailures))(
    "says what happened and what to do for %s",
    (_, [headline, advice]) => {
      for (const [, text] of languages) {
        expectSentences(text(headline))
        expectSentences(text(advice))
        expect(text(advice)).not.toBe(text(headline))
      }
    },
  )
})
