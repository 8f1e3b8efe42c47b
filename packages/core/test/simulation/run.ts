/**
 * Prints what is claimed of every kind of list, and how often it is not so.
 * Run: node --conditions=@deedkit/source packages/core/test/simulation/run.ts [seeds, default 1000] [part of a model's name] [first seed]
 */
import { levels, models } from "./models.ts"
import { read } from "./Outcome.ts"

const seeds = Number(process.argv[2] ?? 1_000)
const wanted = process.argv[3] ?? ""
const first = Number(process.argv[4] ?? 1)

const share = (count: number): string =>
  ((100 * count) / seeds).toFixed(count > 0 && count * 1_000 < seeds ? 2 : 1)

console.log(
  "| list | changes | proven % | false | confirmed % | false | unverified % | failed % | requests |",
)
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
const totals = { proven: 0, confirmed: 0, falselyProven: 0, falselyConfirmed: 0, invented: 0, twice: 0 }
for (const [name, model] of Object.entries(models)) {
  if (!name.includes(wanted)) continue
  for (const [level, changes] of Object.entries(levels)) {
    const count = {
      proven: 0,
      confirmed: 0,
      unverified: 0,
      failed: 0,
      falselyProven: 0,
      falselyConfirmed: 0,
      requests: 0,
    }
    for (let seed = first; seed < first + seeds; seed++) {
      const { completeness, invented, missed, requests, twice } = await read(seed * 7_919, model, changes)
      const state = completeness?.state ?? "failed"
      count[state] += 1
      if (state === "proven" && missed > 0) count.falselyProven += 1
      if (state === "confirmed" && missed > 0) count.falselyConfirmed += 1
      if (
        process.env["DEEDKIT_SHOW"] === "false" &&
        missed > 0 &&
        (state === "proven" || state === "confirmed")
      )
        console.log("seed", seed, state)
      count.requests += requests
      totals.invented += invented
      totals.twice += twice
    }
    totals.proven += count.proven
    totals.confirmed += count.confirmed
    totals.falselyProven += count.falselyProven
    totals.falselyConfirmed += count.falselyConfirmed
    const { confirmed, failed, falselyConfirmed, falselyProven, proven, unverified } = count
    const cells = [
      name,
      level,
      share(proven),
      falselyProven,
      share(confirmed),
      falselyConfirmed,
      share(unverified),
      share(failed),
      (count.requests / seeds).toFixed(1),
    ]
    console.log(`| ${cells.join(" | ")} |`)
  }
}
console.log(
  `\nproven ${totals.proven}, of it false ${totals.falselyProven}; confirmed ${totals.confirmed}, of it false ${totals.falselyConfirmed}; ` +
    `records given out that were gone before ${totals.invented}, given out twice ${totals.twice}`,
)
