/** The playground of the site: controls for a scenario, a timeline of its run, the verdict, and files. */
import { defineComponent, h, onBeforeUnmount, ref, shallowRef, watch } from "vue"
import type { VNode } from "vue"
import type { FileName } from "./Files.ts"
import type { Outcome, Step } from "./Replay.ts"
import { replay } from "./Replay.ts"
import * as Scenario from "./Scenario.ts"

const cursorLabels = { id: "The last record", position: "How many came before" } as const

const orderLabels = {
  descending: "Newest id first",
  ascending: "Oldest id first",
  random: "No order",
  updated: "Latest update first",
}

const marks = { request: "→", refused: "✗", wait: "…", page: "✓", note: "!" }
/** A timeline of many steps shows its last ones. */
const mostSteps = 500

const save = (name: string, content: Blob): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export default defineComponent({
  name: "Playground",
  setup: () => {
    const { problems, scenario: shared } = Scenario.parse(location.hash)
    const scenario = shallowRef(shared)
    const message = ref(problems.join(" "))
    const steps = shallowRef<ReadonlyArray<Step>>([])
    const outcome = shallowRef<Outcome | null>(null)
    const running = shallowRef<AbortController | null>(null)

    const change = (part: Partial<Scenario.Scenario>): void => {
      scenario.value = { ...scenario.value, ...part }
    }
    watch(scenario, (changed) => {
      const fragment = Scenario.format(changed)
      history.replaceState(history.state, "", `${location.pathname}${fragment === "" ? "" : `#${fragment}`}`)
    })
    const onHash = (): void => {
      const read = Scenario.parse(location.hash)
      scenario.value = read.scenario
      message.value = read.problems.join(" ")
    }
    addEventListener("hashchange", onHash)
    onBeforeUnmount(() => {
      removeEventListener("hashchange", onHash)
      running.value?.abort()
    })

    const run = async (): Promise<void> => {
      running.value?.abort()
      const mine = new AbortController()
      running.value = mine
      steps.value = []
      outcome.value = null
      message.value = ""
      const tell = (step: Step): void => {
        if (running.value === mine) steps.value = [...steps.value, step].slice(-mostSteps)
      }
      try {
        const ended = await replay(scenario.value, tell, mine.signal)
        if (running.value === mine) outcome.value = ended
      } catch (error) {
        if (running.value === mine) message.value = mine.signal.aborted ? "Stopped." : String(error)
      }
      if (running.value === mine) running.value = null
    }
    const stop = (): void => {
      running.value?.abort()
    }
    const download = async (name: FileName): Promise<void> => {
      const { make } = await import("./Files.ts")
      save(name, await make(name, outcome.value?.contracts ?? []))
    }
    const copy = async (): Promise<void> => {
      const done = navigator.clipboard?.writeText(location.href)
      message.value = await Promise.resolve(done).then(
        () => (done === undefined ? "Copy the address of this page: it holds the scenario." : "Copied."),
        () => "Copy the address of this page: it holds the scenario.",
      )
    }

    const number = (name: keyof typeof Scenario.limits, label: string): VNode =>
      h("label", [
        label,
        h("input", {
          type: "number",
          name,
          min: Scenario.limits[name].least,
          max: Scenario.limits[name].most,
          required: true,
          value: scenario.value[name],
          onInput: ({ target }: { readonly target: HTMLInputElement }) => {
            const value = Scenario.figure(name, target.value)
            if (value !== null) change({ [name]: value })
          },
        }),
      ])

    const typed = (): ReadonlyArray<string> =>
      scenario.value.faults.filter((fault) => Scenario.presets.every((preset) => preset.fault !== fault))

    const controls = (): VNode =>
      h(
        "form",
        {
          onSubmit: (event: Event) => {
            event.preventDefault()
            void run()
          },
        },
        [
          h("fieldset", [
            h("legend", "The service"),
            number("contracts", "Contracts"),
            h("label", [
              "Order",
              h(
                "select",
                {
                  name: "order",
                  value: scenario.value.order,
                  onChange: ({ target }: { readonly target: HTMLSelectElement }) =>
                    change({ order: Scenario.orders.find((one) => one === target.value) ?? "descending" }),
                },
                Scenario.orders.map((order) => h("option", { value: order }, orderLabels[order])),
              ),
            ]),
            h("label", [
              "Cursor",
              h(
                "select",
                {
                  name: "cursor",
                  value: scenario.value.cursor,
                  onChange: ({ target }: { readonly target: HTMLSelectElement }) =>
                    change({ cursor: Scenario.cursors.find((one) => one === target.value) ?? "id" }),
                },
                Scenario.cursors.map((cursor) => h("option", { value: cursor }, cursorLabels[cursor])),
              ),
            ]),
            number("seed", "Seed of the data"),
          ]),
          h("fieldset", [h("legend", "The client"), number("limit", "Contracts a page")]),
          h("fieldset", { class: "faults" }, [
            h("legend", "Faults"),
            ...Scenario.presets.map(({ fault, label }) =>
              h("label", [
                h("input", {
                  type: "checkbox",
                  checked: scenario.value.faults.includes(fault),
                  onChange: ({ target }: { readonly target: HTMLInputElement }) => {
                    const others = scenario.value.faults.filter((one) => one !== fault)
                    change({ faults: target.checked ? [...others, fault] : others })
                  },
                }),
                ` ${label}`,
              ]),
            ),
            h("label", [
              "Other faults of the emulator, one a line",
              h("textarea", {
                rows: 2,
                spellcheck: false,
                placeholder: "server-error:requests=1",
                value: typed().join("\n"),
                onChange: ({ target }: { readonly target: HTMLTextAreaElement }) => {
                  const chosen = scenario.value.faults.filter((fault) => !typed().includes(fault))
                  const lines = target.value.split("\n").map((line) => line.trim())
                  change({ faults: [...chosen, ...lines.filter((line) => line !== "")] })
                },
              }),
            ]),
          ]),
          h("p", { class: "buttons" }, [
            h("button", { type: "submit", class: "main" }, "Read all contracts"),
            h("button", { type: "button", disabled: running.value === null, onClick: stop }, "Stop"),
            h("button", { type: "button", onClick: copy }, "Copy link"),
          ]),
        ],
      )

    return () =>
      h("div", { class: "playground" }, [
        controls(),
        h("p", { role: "status", class: ["verdict", outcome.value?.kind] }, [
          running.value === null ? (outcome.value?.verdict ?? message.value) : "Reading…",
        ]),
        message.value !== "" && outcome.value !== null ? h("p", message.value) : null,
        outcome.value === null || outcome.value.contracts.length === 0
          ? null
          : h("p", { class: "buttons" }, [
              h("button", { type: "button", onClick: () => download("contracts.csv") }, "Download CSV"),
              h("button", { type: "button", onClick: () => download("contracts.xlsx") }, "Download workbook"),
            ]),
        h(
          "ol",
          { "aria-label": "Timeline" },
          steps.value.map(({ kind, text }) =>
            h("li", { class: kind }, [h("span", { "aria-hidden": "true" }, marks[kind]), ` ${text}`]),
          ),
        ),
      ])
  },
})
