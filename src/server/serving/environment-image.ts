import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'

import type { Hono } from 'hono'

import type { Environment } from '../db/environments/environment.ts'
import { hostUnknownRefusal } from './host-unknown.ts'
import { type MountSettings, refusalResponse } from './mount.ts'

const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
}

/** The drawing of public/icons/icon.svg, which a test compares with this. */
const productImage = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" role="img"><title>Comptoir</title>
  <rect width="512" height="512" rx="112" fill="#f5f1ea"/>
  <g fill="#0b4f3f">
    <path d="M240 268v112c-34-20-78-26-128-22V238c54-4 96 6 128 30z"/>
    <path d="M272 268v112c34-20 78-26 128-22V238c-54-4-96 6-128 30z"/>
    <rect x="80" y="400" width="352" height="40" rx="20"/>
  </g>
  <path d="M376 190a124 124 0 0 0-222-26" fill="none" stroke="#0b4f3f" stroke-width="38" stroke-linecap="round"/>
  <path d="M128 84v98h98" fill="none" stroke="#0b4f3f" stroke-width="38" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`

export function mountEnvironmentImage(app: Hono, environmentOf: MountSettings['environmentOf']): void {
  app.get('/api/image/env/:environment_id', async (context) => {
    const environment = await environmentOf(context)
    if (!environment) return refusalResponse(hostUnknownRefusal)
    if (context.req.param('environment_id') !== String(environment.id)) {
      return refusalResponse({ status: 404, message: 'Cet environnement n’existe pas.' })
    }
    const { type, bytes } = await imageOf(environment)
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const headers = {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=300',
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
      // An image opened as a page of its own runs nothing.
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    }
    const isKnown =
      context.req
        .header('if-none-match')
        ?.split(/\s*,\s*/)
        .includes(etag) ?? false
    return isKnown ? new Response(null, { status: 304, headers }) : new Response(bytes, { headers })
  })
}

async function imageOf({
  db,
  files,
}: Environment): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> }> {
  const { image_path } = await db.selectFrom('environment').select('image_path').executeTakeFirstOrThrow()
  const path = image_path === null ? null : resolve(files, image_path)
  const type = types[extname(path ?? '').toLowerCase()]
  if (path?.startsWith(resolve(files) + sep) && type) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes) return { type, bytes: new Uint8Array(bytes) }
  }
  return { type: 'image/svg+xml', bytes: new TextEncoder().encode(productImage) }
}
