/** The visible part of the stored key: its last four characters. */
import { text } from "../kit/Message.ts"

export const KeyHint = ({ hint }: { readonly hint: string }) => (
  <>
    {text("keySet")}{" "}
    <code dir="ltr" aria-hidden="true">
      ••••••••{hint}
    </code>
    <span class="unseen">{text("keyEnds", hint)}</span>
  </>
)
