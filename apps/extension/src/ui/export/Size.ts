import { region } from "../kit/Message.ts"

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

/** A number of bytes for people, such as `3.8 MB`. */
export const size = (bytes: number): string => {
  const step = bytes < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return new Intl.NumberFormat(region(), {
    style: "unit",
    unit: units[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value)
}
