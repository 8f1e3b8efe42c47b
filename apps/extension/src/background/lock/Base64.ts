/** Bytes as text, for memory of the browser that holds only JSON. */

export const encode = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

export const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
