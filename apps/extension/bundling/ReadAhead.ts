/**
 * Names every file that a page's script imports in the page itself, so that they are read at once and not one after the other. What comes later is
 * not named: it is read when it is wanted.
 */
import type { Plugin, Rolldown } from "vite"

const importsOf = (chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): ReadonlyArray<string> => {
  const found = new Set<string>()
  const look = ({ imports }: Rolldown.OutputChunk): void => {
    for (const file of imports) {
      const imported = bundle[file]
      if (found.has(file) || imported?.type !== "chunk") continue
      found.add(file)
      look(imported)
    }
  }
  look(chunk)
  return [...found]
}

export const readAhead = (): Plugin => ({
  name: "deedkit:read-ahead",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle, chunk }) =>
      bundle === undefined || chunk === undefined
        ? []
        : importsOf(chunk, bundle).map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          })),
  },
})
