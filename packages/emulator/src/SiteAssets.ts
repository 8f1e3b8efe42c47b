/**
 * The site's script, style sheet and pictures. The script takes over links by `history.pushState` and loads more cards below the last one, as
 * listing sites do. Data comes as modules, because the site's policy allows its own scripts and no other connection.
 */

/** Follows links within the site without a page load, and loads the next cards when the last ones come into view. */
export const script = `const main = document.querySelector("main")

const show = async (address) => {
  const { title, html } = (await import("/page.js?path=" + encodeURIComponent(address))).default
  if (address !== location.pathname + location.search) return
  document.title = title
  main.innerHTML = html
  watch()
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]")
  if (link === null || link.origin !== location.origin || link.hash !== "" || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const address = link.pathname + link.search
  history.pushState(null, "", address)
  scrollTo(0, 0)
  void show(address)
})

addEventListener("popstate", () => void show(location.pathname + location.search))

const more = async (link) => {
  const { html, next } = (await import("/cards.js" + link.search)).default
  document.querySelector(".cards")?.insertAdjacentHTML("beforeend", html)
  if (next === null) link.remove()
  else link.search = next
  if (next !== null) watch()
}

const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    void more(target)
  }
}, { rootMargin: "200px" })

const watch = () => {
  observer.disconnect()
  const link = main.querySelector("a[rel=next]")
  if (link !== null) observer.observe(link)
}

watch()
`

export const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem; }
header { display: flex; gap: 1rem; padding: 1rem 0; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); list-style: none; padding: 0; }
.cards li { border: 1px solid light-dark(#ccd, #445); border-radius: 0.5rem; overflow: hidden; padding: 0 1rem 1rem; }
.cards img { display: block; height: 8rem; margin: 0 -1rem 0.5rem; object-fit: cover; width: calc(100% + 2rem); }
.cards h2 { display: -webkit-box; font-size: 1rem; margin: 0; overflow: hidden; overflow-wrap: anywhere; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
.cards p { margin: 0; max-height: 1.5em; overflow: hidden; overflow-wrap: anywhere; }
h1, dd, .near li { display: -webkit-box; overflow: hidden; overflow-wrap: anywhere; -webkit-box-orient: vertical; -webkit-line-clamp: 4; }
.home img { height: 16rem; object-fit: cover; width: 100%; }
`

/** A picture of a house in the colours of an id. */
export const picture = (id: number): string => {
  const hue = (id * 47) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 80"><rect width="160" height="80" fill="hsl(${hue} 50% 85%)"/><path d="M40 40 80 12l40 28v30H40z" fill="hsl(${hue} 40% 55%)"/><rect x="72" y="48" width="16" height="22" fill="hsl(${hue} 40% 30%)"/></svg>`
}
