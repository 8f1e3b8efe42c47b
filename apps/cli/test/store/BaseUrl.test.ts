import { describe, expect, it } from "vitest"
import * as BaseUrl from "../../src/store/BaseUrl.ts"
import { call } from "../harness/InProcess.ts"

describe("a base URL without a scheme", () => {
  it.each([
    ["api.example.com", "https://api.example.com"],
    ["api.example.com:8443/prefix/", "https://api.example.com:8443/prefix/"],
    ["//api.example.com", "https://api.example.com"],
    ["  Api.Example.Com ", "https://Api.Example.Com"],
    ["127.0.0.1:4702", "http://127.0.0.1:4702"],
    ["localhost", "http://localhost"],
    ["localhost:4702/v1/", "http://localhost:4702/v1/"],
    ["[::1]:4702", "http://[::1]:4702"],
    ["192.168.1.7:4702", "https://192.168.1.7:4702"],
  ])("%j is answered with %s", (text, meant) => {
    expect(BaseUrl.withoutScheme(text)?.message).toBe(
      `The base URL ${text.trim()} has no scheme. Did you mean ${meant}?`,
    )
  })

  it.each([
    [""],
    ["https://api.example.com"],
    ["http://localhost:4702"],
    ["htps://api.example.com"],
    ["ada:secret@api.example.com"],
    ["api.example.com?key=secret"],
    ["api.example.com:99999"],
    ["dk_0123456789abcdef"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"],
    ["example"],
    ["-.com"],
  ])("is not %j, which is left to others and not repeated", (text) => {
    expect(BaseUrl.withoutScheme(text)).toBeNull()
  })

  it("is refused wherever it is given, before anything is asked or sent", async () => {
    const me = ["me", "--base-url", "api.example.com"]
    const sentence = "The base URL api.example.com has no scheme. Did you mean https://api.example.com?\n"
    expect(await call(me)).toEqual({ code: 2, stdout: "", stderr: sentence })
    const env = { DEEDKIT_BASE_URL: "api.example.com", DEEDKIT_API_KEY: "a-key" }
    expect(await call(["me"], { env })).toEqual({ code: 2, stdout: "", stderr: sentence })
    expect(await call(["auth", "login"], { env })).toEqual({ code: 2, stdout: "", stderr: sentence })
  })
})

describe("two base URLs", () => {
  it.each([
    ["https://api.example.com", "https://API.example.com:443/v1/", true],
    ["https://api.example.com/one/", " https://api.example.com/one ", true],
    ["https://api.example.com/one", "https://api.example.com/two", false],
    ["https://api.example.com", "http://api.example.com", false],
    ["https://api.example.com", "https://api.example.com:8443", false],
    ["localhost:1", "localhost:2", false],
    ["", "", false],
  ])("%j and %j are the same: %s", (left, right, same) => {
    expect(BaseUrl.isSame(left, right)).toBe(same)
  })
})
