import { describe, expect, it } from "vitest"
import { proxyFor } from "../../src/internal/proxy.ts"

const at = "https://api.example.com"
const proxy = "http://proxy.example:3128"
const chosen = (variables: Record<string, string>, url = at): string | null =>
  proxyFor(url, variables)?.origin ?? null

describe("the proxy of a request", () => {
  it.each([
    [{ HTTPS_PROXY: proxy }, at, proxy],
    [{ https_proxy: proxy }, at, proxy],
    [{ https_proxy: proxy, HTTPS_PROXY: "http://other:1" }, at, proxy],
    [{ https_proxy: "", HTTPS_PROXY: proxy }, at, proxy],
    [{ ALL_PROXY: proxy }, at, proxy],
    [{ all_proxy: "http://other:1", HTTPS_PROXY: proxy }, at, proxy],
    [{ HTTP_PROXY: proxy }, at, null],
    [{ HTTP_PROXY: proxy }, "http://api.example.com", proxy],
    [{ HTTPS_PROXY: "proxy.example:3128" }, at, proxy],
    [{ HTTPS_PROXY: ` ${proxy} ` }, at, proxy],
    [{ HTTPS_PROXY: `"${proxy}"`, NO_PROXY: "'other.test'" }, at, proxy],
    [{ HTTPS_PROXY: proxy, NO_PROXY: '"other.test, api.example.com"' }, at, null],
    [{ https_proxy: '""', HTTPS_PROXY: `'proxy.example:3128'` }, at, proxy],
    [{ HTTPS_PROXY: "https://proxy.example" }, at, "https://proxy.example"],
    [{ HTTPS_PROXY: "http://ada:secret@proxy.example:3128" }, at, proxy],
    [{}, at, null],
  ])("%o for %s is %s", (variables, url, origin) => {
    expect(chosen(variables as Record<string, string>, url)).toBe(origin)
  })

  it("has a password with a percent sign that stands for itself", () => {
    const { url = "" } = proxyFor(at, { HTTPS_PROXY: "http://ada:100%sure%2F@proxy.example:3128" }) ?? {}
    expect(decodeURIComponent(new URL(url).password)).toBe("100%sure/")
  })

  it("is not used with TLS while its certificate would not be verified", () => {
    const tls = { HTTPS_PROXY: "https://proxy.example", NODE_TLS_REJECT_UNAUTHORIZED: "0" }
    expect(() => chosen(tls)).toThrow("HTTPS_PROXY names a proxy with TLS, which is not verified")
    expect(chosen({ ...tls, NODE_TLS_REJECT_UNAUTHORIZED: "1" })).toBe("https://proxy.example")
    expect(chosen({ ...tls, HTTPS_PROXY: proxy })).toBe(proxy)
  })

  it.each([
    ["*", at],
    ["example.com", at],
    [".example.com", at],
    ["*.example.com", at],
    ["API.EXAMPLE.COM", at],
    ["api.example.com.", at],
    ["other.test api.example.com", at],
    ["other.test,\tapi.example.com ,", at],
    ["api.example.com:443", at],
    ["10.0.0.0/8", "https://10.1.2.3"],
    ["10.1.2.3", "https://10.1.2.3"],
    ["fd00::/8", "https://[fd00::1]"],
    ["[fd00::1]", "https://[fd00::1]"],
  ])("is none where NO_PROXY is %j: %s", (exempt, url) => {
    expect(chosen({ HTTPS_PROXY: proxy, NO_PROXY: exempt }, url)).toBeNull()
    expect(chosen({ HTTPS_PROXY: proxy, NO_PROXY: "", no_proxy: exempt }, url)).toBeNull()
  })

  it.each([
    ["ample.com", at],
    ["www.example.com", at],
    ["api.example.com:8443", at],
    ["11.0.0.0/8", "https://10.1.2.3"],
    ["10.0.0.0/99", "https://10.1.2.3"],
    ["1.2.3", "https://10.1.2.3"],
    [".", at],
    ["", at],
  ])("is used where NO_PROXY is %j: %s", (exempt, url) => {
    expect(chosen({ HTTPS_PROXY: proxy, NO_PROXY: exempt }, url)).toBe(proxy)
  })

  it.each(["https://localhost", "https://127.0.0.2:8443", "https://[::1]"])("is none for %s", (url) => {
    expect(chosen({ ALL_PROXY: "socks5://h:1" }, url)).toBeNull()
    expect(chosen({ HTTPS_PROXY: proxy }, url)).toBeNull()
  })

  it.each([
    "socks5://127.0.0.1:1",
    "socks5h://u:secret@h:1",
    "ftp://h",
    "http://",
    "http://a b",
    `"${proxy}`,
  ])("is an error and no direct connection where it is %s, without the value", (value) => {
    expect(() => chosen({ HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY /)
    expect(() => chosen({ HTTPS_PROXY: value })).not.toThrow(/secret/)
  })
})
