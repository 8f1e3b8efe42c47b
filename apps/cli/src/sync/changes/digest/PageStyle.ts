/**
 * The style of a digest's page: light, dark and on paper. The style sheet is one text without line breaks, because the page gives its hash, and a
 * browser applies no other style sheet.
 */
import { createHash } from "node:crypto"

const light =
  "--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--ground:#fff;--mark:#fff3d1;--edge:#9a6700;--old:#a40e26;--new:#116329"
const dark =
  "--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--mark:#2e2509;--edge:#d29922;--old:#ff9a92;--new:#6bd58a"

/** The style sheet. */
export const css: string = [
  `:root{color-scheme:light dark;${light}}`,
  `@media (prefers-color-scheme:dark){:root{${dark}}}`,
  "body{margin:2rem auto;max-width:60rem;padding:0 1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}",
  "h1{margin:0;font-size:1.6rem}h2{margin:2.5rem 0 .25rem;font-size:1.2rem;overflow-wrap:anywhere}p{margin:.25rem 0}",
  ".window{color:var(--soft);overflow-wrap:anywhere}.total{margin-top:1rem;font-weight:600}",
  "table{width:100%;margin-top:.75rem;border-collapse:collapse;table-layout:fixed}",
  "th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}",
  "thead th{color:var(--soft);font-size:.85rem}.record{width:26%}.change{width:14%}.seen{width:22%}",
  "td p{margin:0}del{color:var(--old);text-decoration:none}ins{color:var(--new);text-decoration:none}.member,time{color:var(--soft)}",
  ".unusual>*{background:var(--mark)}.unusual>:first-child{box-shadow:inset 4px 0 var(--edge)}strong{display:block;color:var(--edge)}",
  "@media screen and (max-width:40rem){table,tbody,tr,th,td{display:block}thead{display:none}.record,.change,.seen{width:auto}",
  "tr{padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th,td{padding:.1rem .6rem;border:0}}",
  `@media print{:root{color-scheme:light;${light}}body{margin:0;max-width:none;padding:0;font-size:9pt}`,
  "thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}.unusual>*{print-color-adjust:exact}}",
].join("")

/** The content security policy of the page: it allows this style sheet and nothing else. */
export const policy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(css).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ")
