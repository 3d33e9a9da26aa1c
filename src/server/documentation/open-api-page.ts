import type { Hono } from 'hono'
import { html, raw } from 'hono/html'

import { contentSecurityPolicy } from '../http/security-headers.ts'
import { documented, openApi } from './open-api.ts'

export function mountDocumentation(app: Hono): void {
  let description: string | undefined
  app.get('/api/docs.json', (context) => {
    description ??= JSON.stringify(openApi())
    return context.body(description, 200, { 'Content-Type': 'application/json; charset=utf-8' })
  })
  app.get('/api/docs', (context) => {
    const nonce = crypto.randomUUID()
    context.header('Content-Security-Policy', contentSecurityPolicy(nonce))
    return context.html(page(nonce))
  })
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  summary { display: flex; gap: 0.75rem; align-items: baseline; padding: 0.5rem 0; cursor: pointer; flex-wrap: wrap; }
  summary::before { content: '▸'; } details[open] > summary::before { content: '▾'; }
  b { font: 600 0.8rem ui-monospace, monospace; min-width: 4rem; }
  code, pre { font: 0.875rem ui-monospace, monospace; } pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 8px; }
  details { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }`

function page(nonce: string) {
  const paths = openApi()['paths'] as Record<string, Record<string, unknown>>
  return html`<!doctype html>
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Comptoir : les appels</title>
        <style nonce="${nonce}">
          ${raw(style)}
        </style>
      </head>
      <body>
        <h1>Les appels de Comptoir</h1>
        <p>La description OpenAPI, pour les outils : <a href="/api/docs.json">/api/docs.json</a>.</p>
        ${documented.map(
          ({ method, path, summary }) =>
            html`<details>
              <summary><b>${method}</b> <code>${path}</code> <span>${summary}</span></summary>
              <pre>${JSON.stringify(paths[path]?.[method.toLowerCase()], null, 2)}</pre>
            </details>`,
        )}
      </body>
    </html>`
}
