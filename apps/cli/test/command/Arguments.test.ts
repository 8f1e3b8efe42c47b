import { describe, expect, it } from "vitest"
import { commandWords, expand } from "../../src/command/Arguments.ts"

describe("arguments", () => {
  it.each([
    [
      ["contracts", "list", "--json=id,listing.city"],
      ["contracts", "list", "--json", "--json-fields=id,listing.city"],
    ],
    [
      ["list", "--json"],
      ["list", "--json"],
    ],
    [
      ["list", "--json=true"],
      ["list", "--json=true"],
    ],
    [
      ["list", "--json=FALSE"],
      ["list", "--json=FALSE"],
    ],
    [
      ["list", "--json="],
      ["list", "--json="],
    ],
    [
      ["list", "--sort", "-updated_at"],
      ["list", "--sort=-updated_at"],
    ],
    [
      ["list", "--sort", "-city,id", "--all"],
      ["list", "--sort=-city,id", "--all"],
    ],
    [
      ["list", "--sort", "--all"],
      ["list", "--sort", "--all"],
    ],
    [
      ["list", "--sort", "city", "-h"],
      ["list", "--sort", "city", "-h"],
    ],
    [
      ["list", "--sort"],
      ["list", "--sort"],
    ],
    [
      ["changes", "--since", "-24h", "--json"],
      ["changes", "--since=-24h", "--json"],
    ],
    [
      ["changes", "-24h", "--since=1d", "-2h", "--quiet", "-h"],
      ["changes", "-24h", "--since=1d", "-2h", "--quiet", "-h"],
    ],
    [
      ["get", "--", "--json=id", "--sort", "-x"],
      ["get", "--", "--json=id", "--sort", "-x"],
    ],
    [
      ["--profile", "a", "--profile=b", "export", "keys", "--", "--profile"],
      ["export", "keys", "--profiles", "a", "--profiles=b", "--", "--profile"],
    ],
    [
      ["--quiet", "--profile", "export", "sync", "--profile", "b"],
      ["--quiet", "sync", "--profiles", "b", "--profiles", "export"],
    ],
    [
      ["--profile", "a", "sync"],
      ["--profile", "a", "sync"],
    ],
    [[], []],
  ])("%j are taken as %j", (written, taken) => {
    expect(expand(written)).toEqual(taken)
  })

  it.each([
    [["me", "--profile", "demo"], ["me"]],
    [
      ["--profile", "demo", "me", "sync"],
      ["--profile", "demo", "me"],
    ],
    [
      ["--json", "contracts", "list"],
      ["--json", "contracts", "list"],
    ],
    [
      ["--profile=demo", "export", "contracts"],
      ["--profile=demo", "export", "contracts"],
    ],
    [["--help"], ["--help"]],
    [[], []],
  ])("%j can name their command with %j", (words, possible) => {
    expect(commandWords(words)).toEqual(possible)
  })
})
