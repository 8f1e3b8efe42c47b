/**
 * SASLprep (RFC 4013), as PostgreSQL applies it to passwords when it stores and checks them by SCRAM. The client does not have it, so a password
 * with such characters would be refused although it is right.
 */

/** Spaces that become a plain one. */
const spaces = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g
/** Characters that are left out. */
const dropped = /\u00AD|\u034F|\u1806|[\u180B-\u180D]|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g
/** Characters that no prepared password may have: controls, private and unassigned ones, lone surrogates, and those of formats. */
const refused =
  /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u0340\u0341\u200E\u200F\u202A-\u202E\u206A-\u206F\uFFF9-\uFFFD]/u

/** The characters of RFC 3454, table D.1, but for the mark that is refused above: Hebrew, Arabic, Syriac and Thaana. */
const fromRight =
  /[\u05BE\u05C0\u05C3\u05D0-\u05EA\u05F0-\u05F4\u061B\u061F\u0621-\u063A\u0640-\u064A\u066D-\u066F\u0671-\u06D5\u06DD\u06E5\u06E6\u06FA-\u070D\u0710\u0712-\u072C\u0780-\u07A5\u07B1\uFB1D\uFB1F-\uFB28\uFB2A-\uFD3D\uFD50-\uFDFC\uFE70-\uFEFC]/u
/** The letters and numbers of table D.2. European and Arabic digits, and most modifier letters, have no direction. */
const fromLeft = /(?![\d\u02B9\u02BA\u02C6-\u02CF\u02EC\u0660-\u0669\u06F0-\u06F9])[\p{L}\p{Mc}\p{Nl}\p{Nd}]/u

/** Whether a text mixes directions: one with characters from the right begins and ends with them, and has none from the left (RFC 3454, section 6). */
const mixes = (text: string): boolean => {
  const isRight = Array.from(text, (character) => fromRight.test(character))
  if (!isRight.includes(true)) return false
  const isLeft = (character: string, at: number): boolean => !isRight[at]! && fromLeft.test(character)
  return !isRight[0]! || !isRight.at(-1)! || Array.from(text).some(isLeft)
}

/** The prepared password; unchanged if it may not be prepared, as in PostgreSQL. */
export const saslPrepared = (password: string): string => {
  const prepared = password.replaceAll(spaces, " ").replaceAll(dropped, "").normalize("NFKC")
  return prepared === "" || refused.test(prepared) || mixes(prepared) ? password : prepared
}
