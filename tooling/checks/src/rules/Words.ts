/**
 * One word for one thing: words that this project has replaced, in names, comments, texts and documents. CONTRIBUTING says what to write instead, and
 * gives the standard term for each thing.
 */
import type { Finding } from "../tree/Finding.ts"
import { lineAt } from "../tree/Source.ts"
import type { Tree } from "../tree/Tree.ts"

/** The replaced words, as patterns for text whose names were split into words, and what to write instead. */
const replaced: ReadonlyArray<readonly [words: RegExp, instead: string]> = [
  [/\bwalk(?:s|ed|ing)?\b/, "read, pagination; sync in the extension"],
  [/\bset(?:s|ting)? aside\b|\bquarantined?\b/, "rejected, reject"],
  [/\bspool(?:s|ed|ing)?\b/, "journal"],
  [/\blook-ups?\b/, "lookup"],
  [/\btall(?:y|ies)\b/, "stats, count"],
  [/\bdoubt(?:s|ful)?\b/, "verification, confirm"],
  [/(?<!schema )\bdrift(?:s|ed)?\b/, "schema drift"],
  [/\bneighbours?\b|\bside files?\b/, "sidecar"],
  [/\bmend(?:s|ed|ing)?\b/, "fix"],
  [/\b(?:go(?:es|ing)?|went) on\b/, "resume, continue"],
  [/\bsaid aloud\b/, "announced, shown"],
  [/\bin vain\b/, "without success, or what happened"],
  [/\bcan be had\b/, "is available"],
  [/\bleft in peace\b/, "ignored"],
  [/\b(?:hangs?|hung) (?:\w+ )?up on\b/, "added to, connected to"],
  [/\bwhoever helps\b/, "support"],
  [/\btells? the truth\b/, "reports what is known"],
]

const isRead = /\.(?:tsx?|md|json|css|html)$/
/** Exempt files: the lists of these words themselves, code that reads databases with the old names, and files that others write. */
const isLeftOut =
  /^(?:tooling\/checks\/(?:src|test)\/rules\/Words\b.*|apps\/extension\/(?:(?:src|test)\/index\/(?:Schema|Database\.test)|test\/e2e\/scenarios\/Update\.test)\.ts|\.github\/CONTRIBUTING\.md|.*(?:CHANGELOG\.md|pnpm-lock\.yaml))$/

/** Names as words: `walkSummary` and `WALK_END` hold the word walk, `createTreeWalker` does not. Line numbers do not change. */
const inWords = (text: string): string =>
  text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replaceAll("_", " ")
    .toLowerCase()

export const check = (tree: Tree): ReadonlyArray<Finding> =>
  tree.paths
    .filter((path) => isRead.test(path) && !isLeftOut.test(path))
    .flatMap((path) => {
      const words = inWords(tree.text(path))
      return replaced.flatMap(([pattern, instead]) =>
        [...words.matchAll(new RegExp(pattern, "g"))].map(({ 0: found, index }) => ({
          path,
          line: lineAt(words, index),
          message: `says "${found}"; write: ${instead}`,
        })),
      )
    })
