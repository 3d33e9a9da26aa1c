import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { compress } from 'hono/compress'

import { contentSecurityPolicy } from './http/security-headers.ts'

/** Whether a part of an address begins with a dot: such files are nobody's pages. */
const isHidden = (path: string) => /(^|\/)\./.test(path)

/** Its places in the page: where components take it from, and the style that the page comes with. */
const emptyNonces = /(?<=<meta name="csp-nonce" content=|<style nonce=)""/g

/**
 * Serves the built app: hashed files for ever, the worker and the manifest never from a cache, and the page for every other address.
 * Each page gets a nonce of its own; the worker keeps a page with its headers, so that the two stay together off line.
 */
export async function servePages(app: Hono, directory: string): Promise<void> {
  const page = await readFile(join(directory, 'index.html'), 'utf8')
  if (!page.includes('<meta name="csp-nonce" content=""'))
    throw new Error('index.html has no place for its nonce')

  app.use(compress())
  app.use(
    '/*',
    serveStatic({
      root: directory,
      precompressed: true,
      // The page itself is served below, with its nonce.
      rewriteRequestPath: (path) => (path === '/' || path === '/index.html' || isHidden(path) ? '/…' : path),
      onFound: (path, context) => {
        const isHashed = path.replaceAll('\\', '/').includes('/assets/')
        context.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Workers live under the policy of their own file.
        context.header('Content-Security-Policy', contentSecurityPolicy(''))
      },
    }),
  )
  // Where files are shared with the installed application: its worker keeps them. Without it they are to be chosen there.
  app.post('/waiting', (context) => context.redirect('/waiting', 303))
  app.get('/*', (context) => {
    const { path } = context.req
    const isFile = /^\/assets\/|\.\w{1,12}$/.test(path) && path !== '/index.html'
    if (isFile || isHidden(path)) {
      return context.text('Introuvable.', 404)
    }
    const nonce = randomBytes(16).toString('base64url')
    context.header('Content-Security-Policy', contentSecurityPolicy(nonce))
    context.header('Cache-Control', 'no-cache')
    return context.html(page.replaceAll(emptyNonces, `"${nonce}"`))
  })
}
