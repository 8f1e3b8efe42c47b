/** The checks of a release: what is handed in at the stores, the packages as their users install them, and what `pnpm new` makes. They install and build, so they take minutes. */
import { make } from "@deedkit/config/vitest"

export default make(import.meta.dirname, {
  projects: {
    "apps/extension": [{ name: "@deedkit/extension", include: ["test/build/release/*.test.ts"] }],
    "tooling/checks": [{ include: ["test/release/*.test.ts"] }],
    "tooling/generators": [{ include: ["test/release/*.test.ts"] }],
  },
  folders: ["apps/extension", "tooling/checks", "tooling/generators"],
})
