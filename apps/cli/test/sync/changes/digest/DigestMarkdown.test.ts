import { marked } from "marked"
import { describe, expect, it } from "vitest"
import * as DigestMarkdown from "../../../../src/sync/changes/digest/DigestMarkdown.ts"
import { clean, truncate } from "../../../../src/terminal/TerminalText.ts"
import type { Digest } from "../../../../src/sync/changes/digest/Digest.ts"
import { change, decoded, digestOf, digestWith, hostile, tagsOf } from "../../../harness/digest/Digests.ts"

const html = (digest: Digest): string =>
  marked.parse(DigestMarkdown.lines(digest).join("\n"), { async: false })

describe("a digest as Markdown", () => {
  const harmless = tagsOf(html(digestWith("harmless")))

  it.each(hostile)("takes nothing in a text for markup: %j", (text) => {
    const rendered = html(digestWith(text))
    expect(tagsOf(rendered)).toEqual(harmless)
    const shown = [...rendered.matchAll(/<code>([^<]*)<\/code>/g)].map(([, inner = ""]) => decoded(inner))
    // The mirror, the account, and the labels of four records.
    expect(shown.filter((each) => each === truncate(clean(text), 200)).length).toBeGreaterThanOrEqual(6)
  })

  it("has the window, the counts, a heading for each account, and unusual changes in bold", () => {
    const ended = '{"id":1301,"unit_label":"3B","status":"ended"}'
    const changes = [
      change({ before: ended }),
      change({ account: "beta", id: 9, change: "added", members: [], before: null }),
    ]
    expect(DigestMarkdown.lines(digestOf(changes))).toEqual([
      "# Changes",
      "",
      "First seen from 2026-11-21 06:00:00 UTC to 2026-11-22 06:00:00 UTC in `mirror.sqlite`.",
      "",
      "**1 added, 1 changed (1 unusual)**",
      "",
      "## `acme`",
      "",
      "- 2 contracts read for the first time",
      "- **Unusual:** contract 1301 (`3B`) changed: `status` `ended` → `active`",
      "",
      "## `beta`",
      "",
      "- 2 contracts read for the first time",
      "- contract 9 (`3B`) added",
    ])
  })

  it("says that there are no changes", () => {
    expect(DigestMarkdown.lines(digestOf([])).at(-1)).toBe("**No changes**")
  })
})
