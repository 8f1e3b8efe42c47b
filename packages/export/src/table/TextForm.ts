/**
 * The forms in which texts of records are compared, as people read them and not by their code units. Letters with accents have several encodings,
 * macOS writes other ones than the rest, and `toLowerCase` alone makes two letters of the Greek sigma. Pure.
 */

const ascii = /^[\x20-\x7e]*$/

/** For equality: two texts that look the same are the same. Case and accents count. */
export const equal = (text: string): string => (ascii.test(text) ? text : text.normalize("NFC"))

/** For searches: letters without case and without accents. Marks that are letters of their own, as in Hindi or Thai, stay. */
export const search = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replaceAll(/[\u0300-\u036f]/g, "")
        .normalize("NFKC")
        .toUpperCase()
        .toLowerCase()
        .replaceAll("ς", "σ")
