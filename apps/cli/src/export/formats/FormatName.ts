/** The formats of exports by name, which are also the ends of file names. */

export const formats = ["csv", "tsv", "xlsx", "json", "ndjson"] as const

export type FormatName = (typeof formats)[number]

const isFormat = (name: string): name is FormatName => formats.some((format) => format === name)

/** The format of a file's name; null when its end says none. */
export const ofFile = (path: string): FormatName | null => {
  const end = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""
  return isFormat(end) ? end : null
}
