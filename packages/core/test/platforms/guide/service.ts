/**
 * Loaded before a program of the documents, on every runtime: `fetch` reaches an emulator instead of the network, and the environment holds
 * address and key. So a program runs as its readers see it.
 */
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
globalThis.fetch = (input, init) => emulator.fetch(new Request(input, init))
process.env["DEEDKIT_BASE_URL"] = "https://api.example.com"
process.env["DEEDKIT_API_KEY"] = emulator.apiKey
