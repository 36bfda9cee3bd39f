/** The page of a link that leads nowhere: read by consumers, who know neither the organization nor us. Both texts are our own. */
export function refusalPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #16181d); color: light-dark(#1c2330, #e8eaf0); }
  main { max-width: 26rem; padding: 2rem 1.5rem; text-align: center; text-wrap: balance; }
  h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem; }
  p { margin: 0; color: light-dark(#566076, #a9b0c0); }
</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
