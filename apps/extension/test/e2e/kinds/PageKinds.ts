/**
 * Pages as sites build them, each a small text: what is true of them stands in the page, where an element with `data-card` is the card of that
 * listing. Listings whose number is a multiple of five have no contract. `act` is what a visitor or the page's own script does afterwards.
 */

import { slugOf } from "./Site.ts"

export interface PageKind {
  readonly html: string
  /** Runs in the page. */
  readonly act?: string
  /** Whether the page's own scripts change it, so that it is not what the server sent. */
  readonly isScripted?: boolean
  /** Marks that there are at first at least; default 1. */
  readonly least?: number
  /** Whether the page shifts its own layout. */
  readonly shifts?: boolean
}

const picture = (width = 240, height = 140): string =>
  `<img width="${width}" height="${height}" alt="" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'%3E%3Crect width='100%25' height='100%25' fill='%23bcd'/%3E%3C/svg%3E">`

/** A card as most sites have it: picture, title, an agent, and two more links to the same listing. */
const card = (number: number, more = "", title = `Bright loft number ${number}`): string => {
  const address = `/homes/${slugOf(number)}`
  return `<article class="card" data-card="${slugOf(number)}" ${more}><a href="${address}">${picture()}</a><h3><a href="${address}">${title}</a></h3><p>Kolonaki, 62 m² <a href="/agents/anna">Agent</a></p><a href="${address}#reviews">12 reviews</a> <a href="${address}"><button tabindex="-1">View details</button></a></article>`
}
const cards = (count: number, from = 1, more = ""): string =>
  Array.from({ length: count }, (_, at) => card(from + at, more)).join("")
const grid = (content: string, more = ""): string => `<div class="grid" ${more}>${content}</div>`

const base = `body{margin:0;font:16px/1.4 sans-serif}.card{width:240px;border:1px solid #999;margin:8px;padding:8px}h3{margin:4px 0;font-size:16px}.grid{display:grid;grid-template-columns:repeat(4,1fr)}`
/** Keeps what shifts, as every page may. */
const watching = `<script>window.shifts=[];try{new PerformanceObserver(l=>shifts.push(...l.getEntries().map(e=>e.value))).observe({type:"layout-shift",buffered:true})}catch{}</script>`

/** A page that is painted once all of it has arrived: a text that comes in two pieces would move by itself. */
const page = (body: string, { attributes = "", css = "", head = "" } = {}): string =>
  `<!DOCTYPE html><html ${attributes}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Homes</title><link rel="icon" href="data:,"><link rel="expect" href="#end" blocking="render"><style>${base}${css}</style>${watching}${head}</head><body>${body}<script id="end"></script></body></html>`

/** A page whose body only its css and attributes tell apart. */
const styled = (css: string, act = "scrollTo(0,300)", attributes = ""): PageKind => ({
  html: page(grid(cards(24)), { css, attributes }),
  act,
})

const numbers = [1, 2, 3, 4, 5, 6]

export const pageKinds: { readonly [name: string]: PageKind } = {
  "cards of the server": styled("", "scrollTo(0,333)"),
  "a sticky header": {
    html: page(
      `<header style="position:sticky;top:0;height:150px;background:#fff;z-index:9">Homes</header>${grid(cards(24))}`,
    ),
    act: "scrollTo(0,260)",
  },
  "a fixed header above everything": {
    html: page(
      `<header style="position:fixed;inset:0 0 auto;height:120px;background:#fff;z-index:2147483647">Homes</header><div class="grid" style="padding-top:130px">${cards(24)}</div>`,
    ),
    act: "scrollTo(0,300)",
  },
  "a sticky card": {
    html: page(
      `<div style="height:100px"></div><div style="position:sticky;top:10px;width:280px">${card(1)}</div><div style="height:3000px"></div>`,
    ),
    act: "scrollTo(0,700)",
  },
  "fixed cards": {
    html: page(
      `<div style="height:3000px">Homes</div><aside style="position:fixed;right:10px;top:60px">${card(1)}</aside><aside style="position:fixed;left:10px;bottom:10px">${card(2)}</aside>`,
    ),
    act: "scrollTo(0,1200)",
  },
  "nested scrollers": {
    html: page(
      `<div id="outer" style="height:500px;overflow:auto;border:3px solid;margin:40px"><div style="height:120px">Homes</div><div id="inner" style="width:700px;overflow-x:auto"><div style="display:flex;width:3000px">${cards(10)}</div></div><div style="height:900px"></div></div><div style="height:900px"></div>`,
    ),
    act: "outer.scrollTop=70;inner.scrollLeft=333;scrollTo(0,25)",
  },
  "a scroller that is the page": {
    html: page(`<div id="all" style="height:100vh;overflow:auto">${grid(cards(24))}</div>`, {
      css: "html,body{height:100%;overflow:hidden}",
    }),
    act: "all.scrollTop=400",
  },
  "transformed cards": {
    html: page(
      grid(
        cards(4, 1, 'style="transform:scale(.9) translateX(20px)"') +
          cards(4, 11, 'style="transform:rotate(3deg)"'),
      ),
    ),
  },
  "cards that an animation moves": {
    html: page(grid(cards(8)), {
      css: "@keyframes move{to{transform:translate(60px,40px)}}.card{animation:move 300ms linear forwards}",
    }),
  },
  "a carousel": {
    html: page(
      `<div style="overflow:hidden;width:800px"><div id="track" style="display:flex;transition:transform 200ms;width:3000px">${cards(10)}</div></div>`,
    ),
    act: "track.style.transform='translateX(-540px)'",
  },
  "a modal dialog": {
    html: page(`${grid(cards(8))}<dialog id="modal" style="width:600px">${card(31)}${card(32)}</dialog>`),
    act: "modal.showModal()",
  },
  "a popover": {
    html: page(`${grid(cards(8))}<div popover id="over" style="width:300px">${card(41)}</div>`),
    act: "over.showPopover()",
  },
  "a menu over cards": {
    html: page(
      `${grid(cards(8))}<div id="menu" hidden style="position:absolute;left:0;top:0;width:600px;height:300px;background:#ffc;z-index:5">Menu</div>`,
    ),
    act: "menu.hidden=false",
  },
  "a list on the full screen": {
    html: page(
      `${grid(cards(4))}<div id="full" style="background:#fff;overflow:auto">${grid(cards(8, 31))}</div>`,
    ),
    act: "return full.requestFullscreen()",
  },
  "a frame": {
    html: page(
      `${grid(cards(4))}<iframe width="600" height="300" srcdoc="${cards(2, 61).replaceAll('"', "&quot;")}"></iframe>`,
    ),
  },
  "pins on a drawn map": {
    html: page(
      `<svg width="800" height="500" viewBox="0 0 800 500">${[1, 2, 3, 4].map((at) => `<a href="/homes/${slugOf(at)}" data-card="${slugOf(at)}"><circle cx="${at * 150}" cy="200" r="30" fill="#c60"></circle></a>`).join("")}</svg>`,
    ),
  },
  "areas of a picture": {
    html: page(
      `<div style="padding:40px">${picture(800, 300).replace("<img", `<img usemap='#plan of "1"'`)}</div><map name='plan of "1"'>${[1, 2, 3, 4].map((at) => `<area shape="rect" coords="${at * 180 - 150},20,${at * 180},120" href="/homes/${slugOf(at)}" data-card="${slugOf(at)}" alt="Loft ${at}">`).join("")}<area shape="circle" coords="100,220,60" href="/homes/${slugOf(5)}" data-card="${slugOf(5)}" alt="Loft 5"><area shape="circle" coords="300,220,60" href="/homes/${slugOf(6)}" data-card="${slugOf(6)}" alt="Loft 6"><area shape="rect" coords="400 160 500 280" href="/homes/${slugOf(7)}"></map><div style="height:2000px"></div>`,
    ),
    act: "scrollTo(0,30)",
    least: 5,
  },
  "what has the role of a link": {
    html: page(
      grid(
        numbers
          .map(
            (at) =>
              `<div class="card" role="link" tabindex="0" data-href="/homes/${slugOf(at)}" data-card="${slugOf(at)}">${picture()}<h3>Loft ${at}</h3></div>`,
          )
          .join(""),
      ),
    ),
    act: `document.querySelectorAll(".card").forEach((c,i)=>{c.dataset.card="home-"+(101+i);c.dataset.href="/homes/home-"+(101+i)})`,
    least: 5,
  },
  "open roots within an open root": {
    html: page(
      `<home-list></home-list><script>{const s="<style>"+document.querySelector("style").textContent+"</style>",root=document.querySelector("home-list").attachShadow({mode:"open"});root.innerHTML=s+'<div class="grid">'+[1,2,3,4,5,6].map(n=>'<home-card data-card="home-'+n+'"></home-card>').join("")+"</div>";for(const c of root.querySelectorAll("home-card"))c.attachShadow({mode:"open"}).innerHTML=s+'<style>:host{display:block}</style><article class="card"><h3><a href="/homes/'+c.dataset.card+'">Bright loft</a></h3><p>Kolonaki</p></article>'}</script>`,
    ),
    act: `const list=document.querySelector("home-list").shadowRoot.lastElementChild;list.append(list.firstElementChild)`,
    least: 5,
    shifts: true,
  },
  "links stretched over cards": {
    html: page(
      `<div style="display:flex;flex-wrap:wrap">${numbers.map((at) => `<div class="card" data-card="${slugOf(at)}" style="position:relative">${picture()}<div>Title ${at}</div><a href="/homes/${slugOf(at)}" style="position:absolute;inset:0"><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">View</span></a></div>`).join("")}</div>`,
    ),
  },
  "links around whole cards": {
    html: page(
      grid(
        numbers
          .map(
            (at) =>
              `<a class="card" data-card="${slugOf(at)}" href="/homes/${slugOf(at)}" style="display:block">${picture()}<div>Title ${at}</div></a>`,
          )
          .join(""),
      ),
    ),
  },
  "titles cut after two lines": {
    html: page(
      grid(
        [1, 2, 3, 4]
          .map((at) => card(at, "", "A very long title of a home that is cut after two lines ".repeat(4)))
          .join(""),
      ),
      {
        css: "h3{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}",
      },
    ),
  },
  "titles cut after one line": {
    html: page(
      grid([1, 2, 3, 4].map((at) => card(at, "", "A long title of a home that is cut ".repeat(3))).join("")),
      { css: "h3{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}" },
    ),
  },
  "words moved out of sight": {
    html: page(
      grid(
        [1, 2, 3, 4]
          .map(
            (at) =>
              `<div class="card" data-card="${slugOf(at)}"><a href="/homes/${slugOf(at)}" style="display:block;height:120px;background:#cde;text-indent:-9999px;overflow:hidden">Loft ${at}</a></div>`,
          )
          .join(""),
      ),
    ),
  },
  "backgrounds for pictures": {
    html: page(
      grid(
        [1, 2, 3, 4]
          .map(
            (at) =>
              `<div class="card" data-card="${slugOf(at)}"><a href="/homes/${slugOf(at)}"><div style="height:140px;background:#cde"></div></a><div><a href="/homes/${slugOf(at)}">Loft ${at}</a></div></div>`,
          )
          .join(""),
      ),
    ),
  },
  "from right to left": {
    html: page(`${grid(cards(12))}<div style="width:200%">Wide</div>`, { attributes: 'dir="rtl"' }),
    act: "scrollTo(0,200)",
  },
  "zoomed to 200 %": { html: page(grid(cards(12)), { css: "html{zoom:2}" }), act: "scrollTo(0,100)" },
  "zoomed out to half": { html: page(grid(cards(24)), { css: "html{zoom:.5}" }), act: "scrollTo(0,60)" },
  "a part that is zoomed": styled(".grid{zoom:1.5}"),
  "a policy that allows its own alone": {
    html: page(grid(cards(24)), {
      head: `<meta http-equiv="content-security-policy" content="default-src 'none';connect-src 'self';img-src data:;style-src 'unsafe-inline'">`,
    }),
    act: "scrollTo(0,300)",
  },
  dark: styled(":root{color-scheme:dark}"),
  "a root that is transformed": styled(
    "html{transform:translateZ(0);position:relative;margin:20px}",
    "scrollTo(0,200)",
  ),
  "a body as high as the window": styled("html,body{height:100%}", "scrollTo(0,500)"),
  "a body with margin, border and padding": styled(
    "body{margin:30px;border:5px solid;padding:20px;position:relative}",
  ),
  "a reset of everything": styled(
    "*,*::before,*::after{all:revert;margin:0!important;padding:0;border:0;box-sizing:border-box;position:relative;transition:all 100ms}html>div{display:none!important;opacity:0!important;transform:scale(2)!important}body>.grid{display:grid!important}",
  ),
  "content that is drawn when it is near": {
    html: page(
      Array.from(
        { length: 40 },
        (_, at) =>
          `<section style="content-visibility:auto;contain-intrinsic-size:auto 300px">${card(at + 1)}</section>`,
      ).join(""),
    ),
    act: "scrollTo(0,4000)",
    shifts: true,
  },
  "tabs, one of them hidden": {
    html: page(
      `${grid(cards(4), 'id="one"')}<div id="two" class="grid" style="display:none">${cards(4, 81)}</div>`,
    ),
    act: "one.style.display='none';two.style.display='grid'",
    shifts: true,
  },
  "closed details": {
    least: 0,
    html: page(`<details id="more"><summary>More</summary>${grid(cards(4))}</details>`),
    act: "more.open=true",
  },
  "the rows of a table": {
    html: page(
      `<table>${numbers.map((at) => `<tr data-card="${slugOf(at)}"><td><a href="/homes/${slugOf(at)}">Loft ${at}</a><td>62 m²<td><a href="/homes/${slugOf(at)}">Open</a></tr>`).join("")}</table>`,
      { css: "td{padding:10px 60px}" },
    ),
  },
  "a plain list": {
    html: page(
      `<ul>${numbers.map((at) => `<li data-card="${slugOf(at)}"><a href="/homes/${slugOf(at)}">Loft ${at} in Kolonaki</a>, 62 m²</li>`).join("")}</ul>`,
    ),
  },
  "a listing twice": {
    html: page(`<h2>Results</h2>${grid(cards(4))}<h2>Seen before</h2>${grid(card(1) + card(3))}`),
  },
  "one card alone": {
    html: page(`<header><h1>Search results: 1</h1></header><main>${grid(card(1))}</main>`),
  },
  "one link within an article": {
    html: page(
      `<div><h1>News of the town</h1>${picture()}<h2>Today</h2><p data-card="${slugOf(1)}">Much was said of <a href="/homes/${slugOf(1)}">a loft that is let</a>, and more will be.</p><h2>Tomorrow</h2><p>Nothing yet.</p></div>`,
    ),
  },
  "forms with fields that are named like members of elements": {
    html: page(
      grid(
        [1, 2, 3, 4]
          .map(
            (at) =>
              `<form class="card" data-card="${slugOf(at)}"><a href="/homes/${slugOf(at)}">Loft ${at}</a> <input name="children" size="4"><input name="parentElement" size="4"><input name="matches" size="4"><input name="getRootNode" size="4"></form>`,
          )
          .join(""),
      ),
    ),
  },
  "absolute and relative addresses": {
    html: page(
      grid(
        [1, 2, 3, 4]
          .map(
            (at) =>
              `<div class="card" data-card="${slugOf(at)}"><a href="homes/${slugOf(at)}">${picture()}</a><h3><a href="/homes/${slugOf(at)}?from=list">Loft ${at}</a></h3></div>`,
          )
          .join(""),
      ),
    ),
  },
  "links to another origin": {
    least: 0,
    html: page(
      `<ul>${numbers.map((at) => `<li><a href="https://elsewhere.example/homes/${slugOf(at)}">Loft ${at}</a></li>`).join("")}</ul>`,
    ),
  },
  "5,000 links": { html: page(grid(cards(1250))), act: "scrollTo(0,3000)" },
  "a mutation in each frame": {
    html: page(`<p id="count">0</p>${grid(cards(12))}`, {
      head: `<script>let n=0;const f=()=>{count.textContent=n++;count.style.height=30+n%7+"px";requestAnimationFrame(f)};addEventListener("load",()=>f())</script>`,
    }),
    act: "scrollTo(0,120)",
    isScripted: true,
    shifts: true,
  },
  "addresses that are recycled": {
    html: page(grid(cards(8), 'id="list"')),
    act: `document.querySelectorAll(".card").forEach((c,i)=>{c.dataset.card="home-"+(101+i);c.querySelectorAll("a").forEach(a=>{if(a.getAttribute("href").startsWith("/homes"))a.href="/homes/home-"+(101+i)})})`,
  },
  "content that is recycled": {
    html: page(grid(cards(8), 'id="list"') + `<template id="other">${cards(8, 101)}</template>`),
    act: `const o=[...other.content.children];document.querySelectorAll(".grid .card").forEach((c,i)=>{c.dataset.card=o[i].dataset.card;c.innerHTML=o[i].innerHTML})`,
  },
  "more cards while it is scrolled": {
    html: page(grid(cards(12), 'id="list"') + `<template id="other">${cards(12, 101)}</template>`, {
      head: `<script>addEventListener("scroll",()=>list.append(other.content),{once:true})</script>`,
    }),
    act: "scrollTo(0,400)",
  },
  "cards that are sorted anew": {
    html: page(grid(cards(8), 'id="list"')),
    act: "list.append(...[...list.children].reverse())",
    shifts: true,
  },
  "cards in boxes of no box": {
    html: page(
      grid(
        numbers
          .map(
            (at) =>
              `<div style="display:contents"><meta><div style="display:contents"><meta>${card(at)}</div></div>`,
          )
          .join(""),
      ),
    ),
    least: 5,
  },
  "a dialog of a component": {
    html: page(
      `${cards(1)}<home-dialog><template shadowrootmode="open"><style>${base}</style><dialog>${cards(2, 31)}</dialog></template></home-dialog>`,
    ),
    act: `document.querySelector("home-dialog").shadowRoot.querySelector("dialog").showModal()`,
    isScripted: true,
  },
  "a dialog of a component around the page's cards": {
    html: page(
      `${cards(1)}<home-dialog><template shadowrootmode="open"><dialog><slot></slot></dialog></template>${cards(2, 31)}</home-dialog>`,
    ),
    act: `document.querySelector("home-dialog").shadowRoot.querySelector("dialog").showModal()`,
    isScripted: true,
  },
  "one listing in several spellings": {
    html: page(
      grid(
        ["HOME-1", "home_2", "home-3.html", "home-6?to=/contact-us", "home-7?url=/homes/home-7"]
          .map((last) => {
            const slug = /home.\d/i.exec(last)![0].toLowerCase().replace("_", "-")
            return `<div class="card" data-card="${slug}"><div><a href="/homes/${slug}">Loft</a></div><p>62 m²</p><a href="/homes/${last}">More</a></div>`
          })
          .join(""),
      ),
    ),
    least: 5,
  },
  "one link to a listing below the page's heading": {
    html: page(
      `<div><h1>About us</h1><p>We let homes.</p><p style="margin-top:300px" data-card="home-2">See <a href="/homes/home-2">the flat next door</a></p></div>`,
    ),
  },
  "a role that comes later": {
    html: page(
      `<style>.card{display:inline-block}</style>${numbers.map((at) => `<div class="card" data-href="/homes/${slugOf(at)}"><h3>Loft ${at}</h3></div>`).join("")}`,
    ),
    act: `document.querySelectorAll(".card").forEach((c)=>{c.setAttribute("role","link");c.dataset.card=c.dataset.href.slice(7)})`,
    least: 0,
  },
  "drawn links that lead elsewhere later": {
    html: page(
      `<svg width="800" height="300">${[1, 2, 3, 4].map((at) => `<a xlink:href="/homes/${slugOf(at)}" data-card="${slugOf(at)}"><circle cx="${at * 150}" cy="150" r="40" fill="#c60"/></a>`).join("")}</svg>`,
    ),
    act: `document.querySelectorAll("svg a").forEach((a)=>{a.setAttributeNS("http://www.w3.org/1999/xlink","xlink:href","/homes/home-5");a.dataset.card="home-5"})`,
    least: 4,
  },
  "a base that leads elsewhere later": {
    html: page(grid(cards(6).replaceAll('"/homes/', '"homes/')), { head: `<base href="/a/">` }),
    act: `document.querySelector("base").href="https://elsewhere.example/";document.querySelectorAll("[data-card]").forEach((c)=>c.removeAttribute("data-card"))`,
    least: 5,
  },
  "addresses that leave the site behind a tab": {
    html: page(
      `${[1, 2, 3].map((at) => `<p><a href="/&#9;/elsewhere.example/${slugOf(at)}">Elsewhere ${at}</a></p>`).join("")}${cards(2, 6)}`,
    ),
    least: 2,
  },
  "a window that it just fills": {
    html: page(
      `<div style="position:relative;height:calc(100vh - 5px);overflow:hidden">${grid(cards(3))}<div id="veil" style="position:absolute;inset:0;background:#fff" hidden></div></div>`,
    ),
    act: "veil.hidden=false",
  },
  "a virtual list": {
    html: page(
      `<div id="list" style="height:600px;overflow:auto;position:relative"><div style="height:24000px"></div></div><template id="other">${cards(100)}</template>`,
      {
        css: "#list .card{position:absolute;height:230px;box-sizing:border-box}",
        head: `<script>addEventListener("DOMContentLoaded",()=>{const all=[...other.content.children],pool=Array.from({length:5},()=>{const d=document.createElement("div");list.prepend(d);return d});const draw=()=>{const first=Math.floor(list.scrollTop/240);pool.forEach((d,i)=>{const n=first+((i-first%5+5)%5);if(d.n!==n&&all[n]){d.n=n;d.innerHTML=all[n].outerHTML;d.firstChild.style.top=n*240+"px"}})};list.onscroll=draw;draw()})</script>`,
      },
    ),
    act: "list.scrollTop=5000",
    isScripted: true,
  },
  "a body that is replaced": {
    html: page(`${grid(cards(8))}<template id="other">${grid(cards(8, 101))}</template>`),
    act: `const next=document.createElement("body");next.append(other.content);document.documentElement.replaceChild(next,document.body)`,
  },
  "a document that is written anew": {
    html: page(`${grid(cards(8))}<template id="other">${grid(cards(8, 101))}</template>`),
    act: `const next="<!DOCTYPE html>"+document.head.innerHTML+other.innerHTML;document.open();document.write(next);document.close()`,
  },
  "a list that is removed": {
    html: page(grid(cards(8), 'id="list"')),
    act: "list.remove()",
  },
}
