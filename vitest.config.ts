import { make } from "@deedkit/config/vitest"

export default make(import.meta.dirname)
