import type { ViteDevServer } from 'vite'

/** For `npm run dev`; the product never loads this file. */
export async function openVite(root: string): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  return createServer({ root, appType: 'spa', server: { middlewareMode: true } })
}
