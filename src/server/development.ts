import type { ViteDevServer } from 'vite'

/** Pages as they are written, for `npm run dev`; the product never loads this file. */
export async function openVite(root: string): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  return createServer({ root, appType: 'spa', server: { middlewareMode: true } })
}
