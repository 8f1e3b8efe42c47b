import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as DigestHtml from "../../src/sync/DigestHtml.ts"
import { clean, truncate } from "../../src/terminal/TerminalText.ts"
import type { Digest } from "../../src/sync/Digest.ts"
import { change, decoded, digestOf, digestWith, hostile, tagsOf } from "../harness/Digests.ts"

const page = (digest: Digest): string => DigestHtml.lines(digest).join("\n")

describe("a digest as a page", () => {
  const harmless = tagsOf(page(digestWith("harmless")))

  it.each(hostile)("makes no element of a text, and shows it: %j", (text) => {
    const written = page(digestWith(text))
    expect(tagsOf(written)).toEqual(harmless)
    const shown = [...written.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, inner = ""]) => decoded(inner))
    expect(shown.filter((each) => each === truncate(clean(text), 200)).length).toBeGreaterThanOrEqual(6)
    // No character reference comes about that the text did not have.
    expect(written.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, "")).not.toContain("&")
  })

  it("ends no attribute by a moment that somebody wrote into the mirror", () => {
    const [plain, other] = ["2026", `" onmouseover="alert(1)" x='`].map((seenAt) =>
      tagsOf(page(digestOf([change({ seenAt })]))).map((tag) => tag.replace(/"[^"]*"/, '""')),
    )
    expect(other).toEqual(plain)
  })

  it("lets a browser apply its own style sheet, and load and run nothing", () => {
    const written = page(digestWith("harmless"))
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(written) ?? []
    const hash = createHash("sha256").update(style).digest("base64")
    expect(written).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    )
    expect(written.indexOf("Content-Security-Policy")).toBeLessThan(written.indexOf("<style>"))
    expect(written).not.toMatch(/<(?:script|link|img|iframe|a)\b|\s(?:src|href|style|on\w+)=|url\(|@import/)
  })

  it("has colours for light, dark and paper, and the headings of a table on each printed page", () => {
    const written = page(digestOf([]))
    expect(written).toContain('<meta name="color-scheme" content="light dark">')
    expect(written).toContain("@media (prefers-color-scheme:dark){")
    expect(written).toMatch(/@media print\{:root\{color-scheme:light;.*thead\{display:table-header-group\}/)
  })

  it("has the window, the counts, a heading for each account, and a word for what is unusual", () => {
    const ended = '{"id":1301,"unit_label":"3B","status":"ended"}'
    const written = page(digestOf([change({ before: ended }), change({ account: "beta" })]))
    expect(written).toContain(
      '<time datetime="2026-11-21T06:00:00.000Z">2026-11-21 06:00:00 UTC</time> to <time datetime="2026-11-22T06:00:00.000Z">2026-11-22 06:00:00 UTC</time>',
    )
    expect(written).toContain('<p class="total">2 changed (1 unusual)</p>')
    expect(written.match(/<h2>.*<\/h2>/g)).toEqual(["<h2><bdi>acme</bdi></h2>", "<h2><bdi>beta</bdi></h2>"])
    expect(written.match(/<tr class="unusual">.*<strong>Unusual<\/strong>.*<\/tr>/g)).toHaveLength(1)
  })

  it("is in Greek or Portuguese where that is asked for, and keeps texts of other people", () => {
    const ended = '{"id":1301,"unit_label":"3B","status":"ended"}'
    const digest = digestOf([change({ before: ended })])
    for (const [language, ...words] of [
      [
        "el",
        "<h1>Αλλαγές</h1>",
        "1 άλλαξαν (1 ασυνήθιστα)",
        "συμβόλαιο 1301 ",
        "<strong>Ασυνήθιστο</strong>",
      ],
      [
        "pt",
        "<h1>Alterações</h1>",
        "1 alterados (1 invulgares)",
        "contrato 1301 ",
        "<strong>Invulgar</strong>",
      ],
    ] as const) {
      const written = DigestHtml.lines(digest, language).join("\n")
      for (const word of [`<html lang="${language}">`, "<bdi>3B</bdi>", ...words])
        expect(written).toContain(word)
    }
    expect(tagsOf(DigestHtml.lines(digest, "el").join(""))).toEqual(
      tagsOf(page(digest)).map((tag) => tag.replace('lang="en"', 'lang="el"')),
    )
  })
})
