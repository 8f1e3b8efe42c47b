/**
 * Escapes text for HTML and addresses. Every field of a record passes through here, because any field can hold any
 * text. Does not know what the pages say.
 */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** A text between tags or within quotes. NUL and lone surrogates, which HTML cannot hold, become U+FFFD. */
export const escape = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
    .replaceAll("\0", "\uFFFD")

/** A text as one segment of a path, or as the value of a parameter. A lone surrogate becomes U+FFFD. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A page with this main part. */
export const page = (title: string, main: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/site.css">
<link rel="icon" href="/picture.svg?id=0">
<script type="module" src="/site.js"></script>
</head>
<body>
<header><a href="/">Homes</a> <a href="/about">About</a></header>
<main>${main}</main>
</body>
</html>
`
