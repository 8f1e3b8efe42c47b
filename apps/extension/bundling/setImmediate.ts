/** As in Node: after what waits already, and without the least delay of a timer. */
export const setImmediate = (work: () => void): void => {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener("message", () => {
    port1.close()
    work()
  })
  port1.start()
  port2.postMessage(null)
}
