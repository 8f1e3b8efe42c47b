/** Says why something cannot be made, in a sentence for the user. Nothing was written. */
export class Refused extends Error {
  override readonly name = "Refused"
}
