/** A 32-bit FNV-1a hash of a text: distinguishes two versions of a record. Not for texts that an attacker can choose. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value | 0
}
