import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'

describeServer('the image of an environment', (server) => {
  const get = (path = '/api/image/env/1', headers: Record<string, string> = {}) =>
    server.app.request(path, { headers })
  const useImage = (image_path: string | null) =>
    server.db.updateTable('environment').set({ image_path }).execute()

  it('is the product’s own by default, and runs nothing', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const drawing = await answer.text()
    expect(drawing).toContain('<title>Comptoir</title>')
    const icon = await readFile('public/icons/icon.svg', 'utf8')
    const shapes = (svg: string) => svg.slice(svg.indexOf('<rect'))
    expect(shapes(drawing)).toBe(shapes(icon))
    const again = await get(undefined, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  it('is the organisation’s where it has one', async () => {
    await mkdir(join(server.environment.files, 'images'), { recursive: true })
    await writeFile(join(server.environment.files, 'images', 'logo.png'), 'octets')
    await useImage('images/logo.png')
    const answer = await get()
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(await answer.text()).toBe('octets')
  })

  it.each(['../../../../etc/hostname.png', '/etc/hosts', 'images/absent.png', 'images/page.html'])(
    'never reads « %s »',
    async (path) => {
      await useImage(path)
      expect(await (await get()).text()).toContain('<title>Comptoir</title>')
      await useImage(null)
    },
  )

  it.each(['2', '0', '01', 'x', '1%2f..'])('does not exist for « %s »', async (id) => {
    expect((await get(`/api/image/env/${id}`)).status).toBe(404)
  })
})
