/** For Vite: pages without the white space between their elements, which is there for people. */
import type { Plugin } from "vite"

export const plainPage = (html: string): string => html.replaceAll(/\s*\n\s*/g, "")

export const plainPages = (): Plugin => ({
  name: "deedkit:plain-pages",
  apply: "build",
  transformIndexHtml: { order: "post", handler: plainPage },
})
