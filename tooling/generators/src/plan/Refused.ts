/** What cannot be made, in a sentence for the person who asked. Nothing was written. */
export class Refused extends Error {
  override readonly name = "Refused"
}
