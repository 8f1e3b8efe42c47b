/** Writes the pages, their pictures and `llms.txt` into `dist/pages`, which VitePress builds. Fails if a link or a section leads nowhere. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Chapters from "./Chapters.ts"
import { groups, leftOut } from "./Contents.ts"
import { generate } from "./Generated.ts"

const root = join(import.meta.dirname, "../../..")
const folder = join(import.meta.dirname, "../dist/pages")
const pages = groups.flatMap((group) => group.pages)

const { pictures, problems, texts } = Chapters.join(pages, leftOut, {
  read: (file) => readFileSync(join(root, file), "utf8"),
  exists: (file) => existsSync(join(root, file)),
  generated: generate(root),
})
if (problems.length > 0) throw new Error(problems.join("\n"))

rmSync(folder, { recursive: true, force: true })
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
for (const [name, text] of texts) {
  write(`${name}.md`, text)
  // The Markdown of each page, for programs that read.
  write(`public/${name}.md`, text)
}
for (const [address, file] of pictures) {
  mkdirSync(dirname(join(folder, "public", address)), { recursive: true })
  copyFileSync(join(root, file), join(folder, "public", address))
}
const list = groups.map(({ pages, title }) =>
  [`## ${title}`, "", ...pages.map(({ name, title }) => `- [${title}](/${name}.md)`)].join("\n"),
)
write("public/llms.txt", `# Deedkit\n\n${list.join("\n\n")}\n`)
