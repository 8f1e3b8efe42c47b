/** Whether the browser may delete saved data when space is low, what would be lost, and a button that asks the browser not to. */
import { useState } from "preact/hooks"
import { text } from "../kit/Message.ts"
import { useProtection } from "../state/Protection.ts"

export const Protect = () => {
  const { ask, isAsking, protection } = useProtection()
  const [isAsked, setAsked] = useState(false)
  const isRefused = isAsked && !isAsking && protection === "unprotected"
  return (
    <div class="part protect">
      <h3>{text("protectTitle")}</h3>
      <p role="status">
        {protection === "protected"
          ? text("protectYes")
          : protection === "unknown"
            ? text("protectUnknown")
            : protection === "unprotected"
              ? `${isRefused ? `${text("protectDenied")} ` : ""}${text("protectNo")}`
              : null}
      </p>
      {protection === "unprotected" ? (
        <p class="form-end">
          <button
            type="button"
            class="button"
            disabled={isAsking}
            onClick={() => {
              setAsked(true)
              ask()
            }}
          >
            {text(isAsking ? "protectAsking" : "protectAsk")}
          </button>
        </p>
      ) : null}
    </div>
  )
}
