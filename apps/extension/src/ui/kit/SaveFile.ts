/** Makes the browser save a text as a JSON file. */
export const saveFile = (name: string, content: string): void => {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
