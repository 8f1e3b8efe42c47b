/** Programs to begin with. `apiKey` is there; the address is that of the made-up service. */
export const examples = [
  {
    label: "Active contracts",
    text: `import { createClient } from "@deedkit/core/promise"

const client = createClient({ baseUrl: "https://api.example.com", apiKey })
for await (const contract of client.contracts.list()) {
  if (contract.status === "active") console.log(contract.id, contract.unit_label, contract.listing?.city)
}
`,
  },
  {
    label: "Is it complete?",
    text: `import { createClient } from "@deedkit/core/promise"

const client = createClient({ baseUrl: "https://api.example.com", apiKey })
for await (const { records, summary } of client.contracts.pages({ limit: 50, prove: true })) {
  const { state, reason } = summary.completeness
  console.log(records.length, "contracts,", summary.records, "so far:", state, reason)
}
`,
  },
  {
    label: "By id, and an error",
    text: `import { ClientError, createClient } from "@deedkit/core/promise"

const client = createClient({ baseUrl: "https://api.example.com", apiKey })
for await (const { id } of client.contracts.list({ limit: 1 })) {
  console.log(await client.contracts.get(id))
  break
}
try {
  await client.contracts.get(1)
} catch (error) {
  if (error instanceof ClientError) console.log(error.reason._tag, "-", error.message)
}
`,
  },
] as const
