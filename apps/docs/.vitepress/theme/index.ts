import { defineAsyncComponent } from "vue"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import "./style.css"

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component(
      "Playground",
      defineAsyncComponent(() => import("../../playground/Playground.ts")),
    )
    app.component(
      "Program",
      defineAsyncComponent(() => import("../../playground/Program.ts")),
    )
  },
} satisfies Theme
