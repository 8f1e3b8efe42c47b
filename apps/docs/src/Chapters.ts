/** Documents cut into sections, pages joined from sections, links between documents made links between pages. Pure: files are read by `read`. */
import { posix } from "node:path"
import type { Page } from "./Contents.ts"

/** A heading with the text up to the next heading of any level. */
interface Section {
  readonly file: string
  readonly level: number
  readonly title: string
  /** The anchor of the heading in its document; empty for the first one. */
  readonly anchor: string
  readonly lines: ReadonlyArray<string>
}

/** Code, which stays as it is; pictures in both spellings; links. */
const parts =
  /^ *```[^]*?^ *```|`[^`]+`|!\[(?<alt>[^\]]*)\]\((?<shown>[^)\s]+)\)|<img src="(?<source>[^"]+)"|\[(?<label>(?:`[^`]*`|[^\]`])+)\]\((?<target>[^)\s]+)\)/gm

/** The anchor that GitHub gives a heading. The site uses the same. */
export const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-")

/** Gives equal anchors of one document their numbers. */
const anchors = () => {
  const seen = new Map<string, number>()
  return (title: string): string => {
    const anchor = slug(title)
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  }
}

export const sections = (file: string, text: string): ReadonlyArray<Section> => {
  const found: Array<Section & { readonly lines: Array<string> }> = []
  const anchorOf = anchors()
  let fenced = false
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) fenced = !fenced
    const heading = fenced ? null : /^(#{1,6}) (.+)$/.exec(line)
    if (heading === null) {
      found.at(-1)?.lines.push(line)
      continue
    }
    const [, marks = "", title = ""] = heading
    found.push({ file, level: marks.length, title, anchor: anchorOf(title), lines: [] })
  }
  return found
}

interface Placed {
  readonly section: Section
  readonly page: string
  /** Null where the title of the page stands for it. */
  readonly heading: { readonly level: number; readonly anchor: string } | null
}

export interface Site {
  /** The text of each page, by its name. */
  readonly texts: ReadonlyMap<string, string>
  /** Where each section is, by `file#anchor`, and each document by its file. */
  readonly addresses: ReadonlyMap<string, string>
  /** The pictures that pages show: where the repository has each, by its address in the site. */
  readonly pictures: ReadonlyMap<string, string>
  /** Links and names of sections that lead nowhere. */
  readonly problems: ReadonlyArray<string>
}

interface Sources {
  readonly read: (file: string) => string
  readonly exists: (file: string) => boolean
  /** What a program writes at the beginning of a page, after its title. */
  readonly generated?: ReadonlyMap<string, string>
}

/** The pages. A page has its title, what is generated for it, and its sections in the order of its list. */
export const join = (
  pages: ReadonlyArray<Page>,
  leftOut: ReadonlyArray<string>,
  { exists, generated = new Map(), read }: Sources,
): Site => {
  const problems: Array<string> = []
  const documents = new Map<string, ReadonlyArray<Section>>()
  const document = (file: string): ReadonlyArray<Section> => {
    const known = documents.get(file) ?? (exists(file) ? sections(file, read(file)) : [])
    documents.set(file, known)
    return known
  }
  const claimed = new Set([...leftOut, ...pages.flatMap(({ from }) => from)])

  /** A section and those below it that no one else takes. */
  const taken = (part: string): ReadonlyArray<Section> => {
    const [file = "", anchor] = part.split("#")
    const all = document(file)
    const first = anchor === undefined ? 0 : all.findIndex((section) => section.anchor === anchor)
    const root = all[first]
    if (root === undefined) {
      problems.push(`${part} is in no document`)
      return []
    }
    const below = all.slice(first + 1)
    const end = below.findIndex(({ level }) => level <= root.level)
    const kept: Array<Section> = [root]
    let skipping = Number.POSITIVE_INFINITY
    for (const section of end === -1 ? below : below.slice(0, end)) {
      if (section.level > skipping) continue
      const isClaimed = claimed.has(`${file}#${section.anchor}`)
      skipping = isClaimed ? section.level : Number.POSITIVE_INFINITY
      if (!isClaimed) kept.push(section)
    }
    return kept
  }
  for (const part of leftOut) taken(part)

  const placed: ReadonlyArray<Placed> = pages.flatMap(({ from, name, title }) => {
    const anchorOf = anchors()
    anchorOf(title)
    for (const { title } of sections("", generated.get(name) ?? "")) anchorOf(title)
    return from.flatMap((part, at) => {
      const [root, ...below] = taken(part)
      if (root === undefined) return []
      // What a page begins with has the page's title instead of its own.
      const untitled = at === 0 && !generated.has(name)
      const shift = (untitled ? 1 : 2) - root.level
      return [root, ...below].map((section): Placed => {
        const level = section.level + shift
        const heading = untitled && section === root ? null : { level, anchor: anchorOf(section.title) }
        return { section, page: name, heading }
      })
    })
  })

  /** The address of each section, and of each document: where its beginning is, or else its first section. */
  const addresses = new Map<string, string>()
  for (const { heading, page, section } of placed) {
    const { anchor, file, level } = section
    const address = `/${page === "index" ? "" : page}${heading === null ? "" : `#${heading.anchor}`}`
    addresses.set(`${file}#${anchor}`, address)
    if (level === 1 || !addresses.has(file)) addresses.set(file, address)
  }

  const pictures = new Map<string, string>()
  const picture = (file: string, target: string): string => {
    const path = posix.join(posix.dirname(file), target)
    if (!exists(path)) problems.push(`${file} shows ${target}, which is missing`)
    const address = `/pictures/${path.replaceAll("/", "-")}`
    pictures.set(address, path)
    return address
  }

  const linked = (file: string, text: string, target: string): string => {
    if (/^[a-z]+:/.test(target)) return `[${text}](${target})`
    const [path = "", anchor] = target.split("#")
    const goal = path === "" ? file : posix.join(posix.dirname(file), path)
    if (!exists(goal)) problems.push(`${file} links to ${target}, which is missing`)
    else if (anchor !== undefined && !document(goal).some((section) => section.anchor === anchor))
      problems.push(`${file} links to ${target}, whose heading is missing`)
    const address = addresses.get(anchor === undefined ? goal : `${goal}#${anchor}`)
    return address === undefined ? text : `[${text}](${address})`
  }

  /** A text of a document with its links and pictures as the site has them, and its code as it is. */
  const rewritten = (file: string, text: string): string =>
    text.replaceAll(parts, (whole: string, ...rest) => {
      const { alt, label, shown, source, target } = rest.at(-1) as Readonly<
        Record<string, string | undefined>
      >
      if (shown !== undefined) return `![${alt ?? ""}](${picture(file, shown)})`
      if (source !== undefined) return `<img src="${picture(file, source)}"`
      return target === undefined ? whole : linked(file, label ?? "", target)
    })

  const body = ({ heading, section: { file, lines, title } }: Placed): string => {
    const text = rewritten(file, lines.join("\n"))
    return heading === null ? text : `${"#".repeat(heading.level)} ${rewritten(file, title)}\n${text}`
  }

  const texts = new Map(
    pages.map(({ name, title }) => {
      const own = generated.get(name)
      const lines = placed.filter(({ page }) => page === name).flatMap(body)
      return [
        name,
        [`# ${title}`, "", ...(own === undefined ? [] : [own, ""]), ...lines].join("\n").trimEnd() + "\n",
      ]
    }),
  )
  return { texts, addresses, pictures, problems }
}
