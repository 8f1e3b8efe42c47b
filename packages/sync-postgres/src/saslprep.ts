/**
 * SASLprep (RFC 4013), as PostgreSQL applies it to passwords when it stores and checks them. The client does not have it, so a password with such
 * characters would be refused although it is right.
 */

/** Spaces that become a plain one. */
const spaces = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g
/** Characters that are left out. */
const dropped = /\u00AD|\u034F|\u1806|[\u180B-\u180D]|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g
/** Characters that no prepared password may have: controls, private and unassigned ones, lone surrogates, and those of formats. */
const refused =
  /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u0340\u0341\u200E\u200F\u202A-\u202E\u206A-\u206F\uFFF9-\uFFFD]/u

/** The prepared password; unchanged if it may not be prepared, as in PostgreSQL. */
export const saslPrepared = (password: string): string => {
  const prepared = password.replaceAll(spaces, " ").replaceAll(dropped, "").normalize("NFKC")
  return prepared === "" || refused.test(prepared) ? password : prepared
}
