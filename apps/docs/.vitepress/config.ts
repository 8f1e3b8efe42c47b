import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitepress"
import { slug } from "../src/Chapters.ts"
import { groups } from "../src/Contents.ts"

/** VitePress writes its first steps, such as the choice of the colours, into each page. They are moved to a file, so that a page needs no inline script. */
const inline = /<script id="[^"]+">(?<code>[^]*?)<\/script>/g
const firstSteps = new Set<string>()

const policy = [
  // Firefox counts what is fetched ahead to these.
  "default-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "script-src 'self'",
  // The theme switches transitions off with this one while it changes colours.
  "style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
  // Colours of code are attributes.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ")

export default defineConfig({
  title: "Deedkit",
  description:
    "Contracts and API keys of a property management service, in spreadsheets, beside listings, in your own tools",
  lang: "en",
  srcDir: "dist/pages",
  srcExclude: ["public/**"],
  outDir: "dist/site",
  cacheDir: "node_modules/.cache/vitepress",
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  metaChunk: true,
  markdown: {
    anchor: { slugify: slug },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  transformHtml: (html) => {
    for (const { groups } of html.matchAll(inline)) firstSteps.add(groups?.["code"] ?? "")
    const head = `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">\n    <script src="/first-steps.js"></script>`
    return html.replaceAll(inline, "").replace("<head>", head)
  },
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, "first-steps.js"), `${[...firstSteps].join("\n")}\n`),
  vite: { build: { chunkSizeWarningLimit: 1000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [{ text: "Playground", link: "/playground" }],
    sidebar: groups.map(({ pages, title }) => ({
      text: title,
      items: pages.map(({ name, title }) => ({ text: title, link: name === "index" ? "/" : `/${name}` })),
    })),
  },
})
