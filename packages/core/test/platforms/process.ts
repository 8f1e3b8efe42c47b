/** The tool as a program: address and key are its arguments, the outcome is its output. */
import { tool } from "./tool.ts"

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)
console.log(JSON.stringify(await tool(baseUrl, apiKey)))
