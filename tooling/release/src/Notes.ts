/** The notes of a release: what changesets wrote, a section for each package, or one for packages that say the same. */

export interface Change {
  readonly packages: ReadonlyArray<string>
  readonly text: string
}

/** A changeset file: between two lines `---` the packages, after them the text. */
export const changeOf = (file: string): Change => {
  const [, head = "", text = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file.replaceAll("\r\n", "\n")) ?? []
  const packages = Array.from(head.matchAll(/^"?([^":]+)"?:/gm), ([, name = ""]) => name)
  return { packages, text: text.trim() }
}

/** The entry of a version in a changelog; null where there is none. */
export const entryOf = (changelog: string, version: string): string | null => {
  const sections = changelog.replaceAll("\r\n", "\n").split(/^## /m)
  const found = sections.find((section) => section.split("\n", 1)[0]?.trim() === version)
  const text = found?.slice(found.indexOf("\n")).trim() ?? ""
  return text === "" ? null : text
}

export const notes = (version: string, changes: ReadonlyArray<Change>): string =>
  [
    `# ${version}`,
    ...changes.map(({ packages, text }) => `## ${packages.join(", ")}\n\n${text}`),
    "Checksums of all files are in SHA256SUMS.",
  ].join("\n\n") + "\n"
