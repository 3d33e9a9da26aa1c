import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, Hono } from 'hono'

import { hostUnknownStatus } from '../contract/system.ts'
import { contentSecurityPolicy } from './http/security-headers.ts'
import { hostUnknownPage } from './serving/host-unknown.ts'

const isHidden = (path: string) => /(^|\/)\./.test(path)

/** The nonce's places: the element components read it from, and the page's own style. */
const emptyNonces = /(?<=<meta name="csp-nonce" content=|<style nonce=)""/g

/**
 * Serves hashed files for ever, the worker uncached, and a page with its own nonce everywhere else; the files at any host,
 * so that a page which is open goes on, and the page where `isServed` says that the host is a library's.
 */
export async function servePages(
  app: Hono,
  directory: string,
  isServed: (context: Context) => Promise<boolean>,
): Promise<void> {
  // Read once, so that a build made meanwhile is not half served: the worker would keep the page beside files of another.
  const [page = '', worker = ''] = await Promise.all(
    ['index.html', 'sw.js'].map((name) => readFile(join(directory, name), 'utf8')),
  )
  if (!page.includes('<meta name="csp-nonce" content=""'))
    throw new Error('index.html has no place for its nonce')

  // Its pages lead to each other from where they lie.
  app.get('/guide', (context) => context.redirect('/guide/index.html'))
  app.get('/sw.js', (context) =>
    context.body(worker, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy(''),
    }),
  )
  app.use(
    '/*',
    serveStatic({
      root: directory,
      precompressed: true,
      // The page is served below with its nonce.
      rewriteRequestPath: (path) => (path === '/' || path === '/index.html' || isHidden(path) ? '/…' : path),
      onFound: (path, context) => {
        const isHashed = path.replaceAll('\\', '/').includes('/assets/')
        context.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Workers obey the policy of their own file.
        context.header('Content-Security-Policy', contentSecurityPolicy(''))
      },
    }),
  )
  // The worker receives files shared with the application; without it they are chosen there.
  app.post('/waiting', (context) => context.redirect('/waiting', 303))
  app.get('/*', async (context) => {
    const { path } = context.req
    const isFile = /^\/assets\/|\.\w{1,12}$/.test(path) && path !== '/index.html'
    if (isFile || isHidden(path)) {
      return context.text('Introuvable.', 404)
    }
    if (!(await isServed(context))) {
      context.header('Cache-Control', 'no-store')
      return context.html(hostUnknownPage, hostUnknownStatus)
    }
    const nonce = randomBytes(16).toString('base64url')
    context.header('Content-Security-Policy', contentSecurityPolicy(nonce))
    context.header('Cache-Control', 'no-cache')
    return context.html(page.replaceAll(emptyNonces, `"${nonce}"`))
  })
}
