/** An editor for a program that reads from the service of the playground's scenario, which is in the address. */
import { defineComponent, h, onBeforeUnmount, ref, shallowRef } from "vue"
import { examples } from "./Examples.ts"
import type { Report, Task } from "./ProgramWorker.ts"
import * as Scenario from "./Scenario.ts"

/** A program that prints more shows its last lines. */
const mostLines = 500

export default defineComponent({
  name: "Program",
  setup: () => {
    const text = ref<string>(examples[0].text)
    const lines = shallowRef<ReadonlyArray<string>>([])
    const message = ref("")
    const worker = shallowRef<Worker | null>(null)

    const end = (said: string): void => {
      worker.value?.terminate()
      worker.value = null
      message.value = said
    }
    const run = (): void => {
      end("Running…")
      lines.value = []
      const mine = new Worker(new URL("./ProgramWorker.ts", import.meta.url), { type: "module" })
      worker.value = mine
      mine.addEventListener("message", ({ data }: MessageEvent<Report>) => {
        if ("line" in data) lines.value = [...lines.value, data.line].slice(-mostLines)
        else end(data.error ?? "Done.")
      })
      mine.addEventListener("error", () => end("The program could not be started."))
      const task: Task = { text: text.value, scenario: Scenario.parse(location.hash).scenario }
      mine.postMessage(task)
    }
    onBeforeUnmount(() => worker.value?.terminate())

    return () =>
      h("div", { class: "playground program" }, [
        h("label", [
          "Example",
          h(
            "select",
            {
              onChange: ({ target }: { readonly target: HTMLSelectElement }) => {
                text.value = examples[target.selectedIndex]?.text ?? ""
              },
            },
            examples.map(({ label }) => h("option", label)),
          ),
        ]),
        h("label", [
          "Program",
          h("textarea", {
            rows: 12,
            spellcheck: false,
            autocapitalize: "off",
            value: text.value,
            onInput: ({ target }: { readonly target: HTMLTextAreaElement }) => {
              text.value = target.value
            },
          }),
        ]),
        h("p", { class: "buttons" }, [
          h("button", { type: "button", class: "main", onClick: run }, "Run"),
          h(
            "button",
            { type: "button", disabled: worker.value === null, onClick: () => end("Stopped.") },
            "Stop",
          ),
        ]),
        h("p", { role: "status" }, message.value),
        h("pre", { role: "log", tabindex: 0, "aria-label": "Output" }, lines.value.join("\n")),
      ])
  },
})
