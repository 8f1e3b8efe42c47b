/**
 * Keys and passwords that were typed as arguments, where none belong. What this program says of its arguments repeats none of them: it may be in
 * the log of a scheduler, on a shared screen, or in a file for support.
 */

const omitted = "(left out)"
/** A flag that is named after a secret. No flag takes a secret, but a user who tries one has typed a secret. */
const secretFlag = /^--?[\w-]*(?:key|token|secret|pass|auth|bearer|credential)[\w-]*$/i
/** A run of characters as long as a key. */
const long = /[\w+~-]{16,}/g
const date = /\d{4}-\d\d(?:-\d\d)?/g

/** A part of a word, omitted if it mixes digits with letters as a key does. Dates in a name do not count as digits. */
const part = (text: string): string =>
  /\d/.test(text.replaceAll(date, "")) && /[a-z]/i.test(text) ? omitted : text

/** Scheme and host of an address: the rest can be a secret. */
const hostOf = (address: string): string => {
  const url = URL.parse(address)
  const isClear = url !== null && url.host !== "" && (url.username !== "" || !address.includes("@"))
  return isClear ? `${url.protocol}//${url.host}` : omitted
}

const valueOf = (flag: string, value: string): string => {
  if (secretFlag.test(flag) || /:[^@]*@|password\s*=|bearer\s/i.test(value)) {
    return value.includes("://") && !secretFlag.test(flag) ? hostOf(value) : omitted
  }
  return value.includes("://") ? hostOf(value) : value.replaceAll(long, part)
}

/** The arguments without the parts that can be secrets, for a file that is sent to others. Names of files may go with them. */
export const withoutSecrets = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((word, at) => {
    const [, name, value] = /^(--?[\w-]+)(?:=([^]*))?$/.exec(word) ?? []
    if (name === undefined) return valueOf(args[at - 1] ?? "", word)
    const shown = name.replaceAll(long, part)
    return value === undefined ? shown : `${shown}=${valueOf(name, value)}`
  })

/** Flags that are named after a secret and take the name of a file or variable, which messages have to name. */
const takesName = /-(?:file|env|command)$/
/** What stands before the secret in a value: `user:` of an address, `password=`, `Bearer`. */
const introduced = /:\/\/[^/@\s]*?:([^@]*)@|\bpassword\s*=\s*(\S+)|\bbearer\s+(\S+)/gi
const run = /[A-Za-z0-9_+~-]{16,}/g

/** Whether a run of characters changes between letters and digits as only random ones do. Words of names are shorter, and are parted by signs. */
const looksRandom = (text: string): boolean => {
  const plain = text.replaceAll(date, "")
  const isMixed = plain.split(/[^A-Za-z0-9]/).some((word) => /^(?=.*\d)(?=.*[A-Za-z]).{16,}$/.test(word))
  return isMixed || (plain.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g) ?? []).length > 5
}

const secretsIn = (word: string): ReadonlyArray<string> => {
  const [, flag = "", value = ""] = /^(--?[\w-]+)=([^]*)$/.exec(word) ?? []
  return [
    ...(secretFlag.test(flag) && !takesName.test(flag) ? [value] : []),
    ...Array.from(
      word.matchAll(introduced),
      (found) => found.slice(1).find((each) => each !== undefined) ?? "",
    ),
    ...(word.match(run) ?? []).filter(looksRandom),
  ]
}

/** Makes a function that hides in a message what was typed and looks like a key or a password. */
export const hiding = (args: ReadonlyArray<string>): ((text: string) => string) => {
  const secrets = [...new Set(args.flatMap(secretsIn))]
    .filter(({ length }) => length > 3)
    .toSorted((one, other) => other.length - one.length)
  return (text) =>
    secrets.reduce((hidden, secret) => {
      const shape = `(${secret.length} characters, hidden)`
      const written = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      return [...written].reduce((all, each) => all.replaceAll(each, shape), hidden)
    }, text)
}
