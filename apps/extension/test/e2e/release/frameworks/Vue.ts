/** Homes as a program of Vue. */
import { createSSRApp, h, ref } from "vue"

const card = (number: number) => {
  const href = `/homes/home-${number}`
  return h("article", { key: number, class: "card", "data-card": `home-${number}` }, [
    h("h3", h("a", { href }, [`Loft ${number} in `, h("b", "Kolonaki")])),
    h("p", [
      `${40 + number} m² by `,
      h("a", { href: "/agents/anna" }, "Anna"),
      ", ",
      h("a", { href: `${href}#reviews` }, "reviews"),
    ]),
  ])
}

const homes = (first: number) =>
  createSSRApp({
    setup: () => {
      const saved = ref(0)
      const from = ref(first)
      return () =>
        h("section", [
          h("button", { name: "save", onClick: () => saved.value++ }, `Saved ${saved.value}`),
          h("button", { name: "more", onClick: () => (from.value += 60) }, "Other homes"),
          h("div", { class: "grid" }, [from.value, from.value + 1, from.value + 2].map(card)),
        ])
    },
  })

export const render = async (first: number): Promise<string> => {
  const { renderToString } = await import("vue/server-renderer")
  return renderToString(homes(first))
}

/** What does not fit, Vue says on the console. */
export const hydrate = async (root: Element, first: number): Promise<void> => {
  homes(first).mount(root)
}
