import { describe, expect, it } from "vitest"
import * as HttpAttributes from "../../src/events/HttpAttributes.ts"
import * as ServiceRequest from "../../src/model/ServiceRequest.ts"

describe("the server of a client", () => {
  it.each([
    ["https://api.example.test", "api.example.test", 443],
    ["http://localhost", "localhost", 80],
    ["http://127.0.0.1:8080", "127.0.0.1", 8080],
    ["http://[::1]:8080", "::1", 8080],
    ["https://example.test:8443/api", "example.test", 8443],
  ])("of %s is %s, port %d", (base, address, port) => {
    expect(HttpAttributes.make(base).server).toEqual({ "server.address": address, "server.port": port })
  })
})

describe("the template of a URL", () => {
  const { templateOf } = HttpAttributes.make("https://api.example.test")

  it.each([
    ["/v1/contracts/", "/v1/contracts/"],
    ["/v1/contracts/?limit=5&before_id=abc", "/v1/contracts/"],
    ["/v1/contracts/?before_id=x%26id%3D5", "/v1/contracts/"],
    ["/v1/contracts/?id=5", "/v1/contracts/?id={id}"],
    ["/v1/contracts/?id=5&include_data=1", "/v1/contracts/?id={id}"],
    ["/v1/api-keys/?id=5", "/v1/api-keys/?id={id}"],
    ["/v1/me/", "/v1/me/"],
  ])("of %s is %s", (target, template) => {
    expect(templateOf(target)).toBe(template)
  })

  it.each(["/v1/contracts/5", "/v1/listings/5?id=6", "", "?id=5", "/v1/contracts"])(
    "of %j, which the specification does not name, does not exist",
    (target) => {
      expect(templateOf(target)).toBeNull()
    },
  )

  it("begins with the path of the base URL", () => {
    const atPath = HttpAttributes.make("https://example.test/api")
    expect(atPath.templateOf("/v1/contracts/?id=5")).toBe("/api/v1/contracts/?id={id}")
    expect(atPath.templateOf("/v1/me/")).toBe("/api/v1/me/")
  })
})

describe("the name of an operation", () => {
  it("is that of the collection and of what is done", () => {
    const { apiKeys, contracts, list, me, retrieve } = ServiceRequest
    expect(
      [list(contracts, {}), retrieve(contracts, 5), list(apiKeys, {}), retrieve(apiKeys, 5), me].map(
        HttpAttributes.operationOf,
      ),
    ).toEqual(["contracts.page", "contracts.get", "api-keys.page", "api-keys.get", "me"])
  })

  it("holds no path that the specification does not name", () => {
    expect(HttpAttributes.operationOf({ ...ServiceRequest.me, path: "/v1/listings/5" })).toBe("request")
    const own = { ...ServiceRequest.contracts, path: "/v1/listings/5/photos/" }
    expect(HttpAttributes.operationOf(ServiceRequest.list(own, {}))).toBe("other.page")
    expect(HttpAttributes.operationOf(ServiceRequest.retrieve(own, 5))).toBe("other.get")
    expect(HttpAttributes.listNameOf("/v1/listings/5/photos/")).toBe("other")
    expect(HttpAttributes.listNameOf("api-keys")).toBe("api-keys")
  })
})
