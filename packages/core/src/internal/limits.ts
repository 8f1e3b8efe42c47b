/**
 * Limits of what a body may hold besides its bytes: a small text can be parsed to values that take a hundred times its memory, or be a number
 * that takes half a minute to read. No honest answer comes near them.
 */

/** Shorter texts cannot become large, so the pages of an honest service are parsed without being looked at first. */
const shortest = 262_144
const mostLevels = 512
const mostDigits = 4_096
const mostMembers = 10_000
/** More are read only where each takes 12 characters on average; those of the shortest contract take 15. */
const mostValues = 250_000

const [quote, comma, zero, nine, openArray, backslash, closeArray, u, openObject, closeObject] = [
  34, 44, 48, 57, 91, 92, 93, 117, 123, 125,
]

/**
 * Whether a JSON text is within the limits: 512 levels, numbers of 4,096 digits, 10,000 members an object, 250,000 values and escaped
 * characters, or more where they are as long as those of records. It says nothing of a text that is not JSON.
 */
export const isWithinLimits = (text: string): boolean => {
  if (text.length < shortest || !/^\s*[[{]/.test(text)) return true
  const valuesAllowed = Math.max(mostValues, text.length / 12)
  /** The commas of each open object or array. */
  const commas = new Int32Array(mostLevels + 1)
  const isObject = new Uint8Array(mostLevels + 1)
  let [level, values, digits, inString] = [0, 0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === quote) inString = false
      if (code !== backslash) continue
      at += 1
      // What was escaped is escaped again in a file. Services that write ASCII only escape each letter of other scripts.
      if (text.charCodeAt(at) !== u) values += 1
      if (values > valuesAllowed) return false
      continue
    }
    if (code >= zero && code <= nine) {
      digits += 1
      if (digits > mostDigits) return false
      continue
    }
    digits = 0
    if (code === quote) inString = true
    else if (code === openArray || code === openObject) {
      level += 1
      values += 1
      if (level > mostLevels || values > valuesAllowed) return false
      commas[level] = 0
      isObject[level] = code === openObject ? 1 : 0
    } else if (code === closeArray || code === closeObject) level = Math.max(0, level - 1)
    else if (code === comma) {
      values += 1
      commas[level]! += 1
      if (values > valuesAllowed || (isObject[level] === 1 && commas[level]! >= mostMembers)) return false
    }
  }
  return true
}
