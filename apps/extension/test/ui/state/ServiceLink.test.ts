// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest"
import * as ServiceLink from "../../../src/ui/state/ServiceLink.ts"

afterEach(() => localStorage.clear())

it.each([
  ["https://app.example/contracts/{id}", true],
  ["https://app.example/?contract={id}", true],
  ["https://app.example/#/c/{id}", true],
  ["https://app.example:8443/{id}/{id}", true],
  ["http://app.example/{id}", false],
  ["https://app.example/contracts", false],
  ["https://{id}.example/", false],
  ["https://app.example:{id}/", false],
  ["https://someone@app.example/{id}", false],
  ["https://{id}@app.example/{id}", false],
  ["javascript:alert({id})", false],
  ["data:text/html,{id}", false],
  ["app.example/{id}", false],
  ["{id}", false],
  ["", false],
])("takes a template by https with a place for the number behind the host: %s", (template, isUsable) => {
  expect(ServiceLink.isTemplate(template)).toBe(isUsable)
})

it("belongs to one service, and is forgotten when it is emptied", () => {
  ServiceLink.keep("https://api.example/", "https://app.example/{id}")
  expect(ServiceLink.of("https://api.example/", 7)).toBe("https://app.example/7")
  expect(ServiceLink.of("https://other.example/", 7)).toBeNull()
  expect(ServiceLink.of(null, 7)).toBeNull()
  ServiceLink.keep("https://api.example/", "")
  expect(ServiceLink.of("https://api.example/", 7)).toBeNull()
  expect(localStorage).toHaveLength(0)
})
