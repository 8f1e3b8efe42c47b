/** Fault `slow`: the body is sent slowly. For time limits to the last byte, and between bytes. Limits 3. */
import { number } from "../../settings/Setting.ts"
import { withDelivery } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const slow = define({
  name: "slow",
  description: "Sends the body in small chunks with waits between them.",
  attributes: {
    bytesPerSecond: number(1000, "speed", 1),
    chunkMs: number(100, "milliseconds of the clock before each chunk", 1),
  },
  start: ({ bytesPerSecond, chunkMs }) => ({
    answer: (answer) =>
      withDelivery(answer, {
        throttle: { chunkBytes: Math.max(1, Math.round((bytesPerSecond * chunkMs) / 1000)), chunkMs },
      }),
  }),
})
