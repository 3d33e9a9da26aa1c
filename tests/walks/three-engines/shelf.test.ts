import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../../support/api-of.ts'
import { type DrawnShelf, drawShelf, photographOf } from '../../support/draw-shelf.ts'
import { findEngines, openTablet, type Tablet, type Wanted } from '../../support/engines.ts'
import { openRunningServer, type RunningServer } from '../../support/running-server.ts'
import { adminPassword } from '../../support/test-library.ts'

// A shelf is counted by a photograph from a file in each engine: only Chromium has what photographs by itself.

const codes = Array.from({ length: 10 }, (_, at) => `3${String(1000 + at).padStart(13, '0')}`)
// Large enough for several tiles.
const ofPhotograph = { width: 1800, height: 900, shows: 300, spines: 5 }

const button = (name: string | RegExp): Wanted => ({ role: 'button', name })
const sheet: Wanted = { role: 'dialog', name: 'Photographier l’étagère' }

const engines = await findEngines()

for (const engine of engines)
  describe.skipIf(!engine.isHere)(`a shelf before ${engine.name}`, () => {
    let server: RunningServer
    let tablet: Tablet
    let shelves: DrawnShelf[]

    beforeAll(async () => {
      shelves = []
      for (const first of [0, 5]) {
        const texts = codes.slice(first, first + 5)
        shelves.push(await drawShelf({ ...ofPhotograph, seed: first, texts }))
      }
      server = await openRunningServer({
        prepare: async (db) => {
          for (const [at, code] of codes.entries()) {
            await sql`update copies set bar_code = ${code} where id = ${at + 1}`.execute(db)
          }
        },
      })
      const api = await apiOf(server.address, 'admin', adminPassword)
      expect((await api.post('/api/inventories', { name: 'Récolement', site: 1 })).status).toBe(201)
      tablet = await openTablet(engine, server.address)
    })
    afterAll(async () => {
      await tablet?.close()
      await server?.drop()
    })

    /** As a file that somebody chose: a driver's own way is another in each engine. */
    const choose = async ({ pixels }: DrawnShelf) => {
      const bytes = (await photographOf(pixels)).toString('base64')
      await tablet.run(`
        const bytes = Uint8Array.from(atob('${bytes}'), (sign) => sign.charCodeAt(0))
        const chosen = new DataTransfer()
        chosen.items.add(new File([bytes], 'rayon.jpg', { type: 'image/jpeg' }))
        const field = document.querySelector('input[type=file]')
        field.files = chosen.files
        field.dispatchEvent(new Event('change', { bubbles: true }))`)
    }
    const counts = (words: string) => tablet.sees({ role: 'status', holding: [words], within: sheet })

    it('is counted by a photograph from a file', async () => {
      await tablet.open('/login')
      await tablet.type({ label: 'Nom d’utilisateur' }, 'admin')
      await tablet.type({ label: 'Mot de passe' }, adminPassword)
      await tablet.press(button('Se connecter'))
      await tablet.press({ ...button(/^Centre/), within: { role: 'dialog', name: 'Choisissez votre site' } })
      await tablet.misses({ role: 'dialog', name: 'Choisissez votre site' })
      await tablet.open('/inventories/count/1')
      await tablet.press(button('Étagère'))
      await tablet.sees({ role: 'alert', holding: [engine.ofCamera], within: sheet })
      await choose(shelves[0]!)
      await counts('5 comptés')
    })

    it('is counted where workers have no canvas, which browsers had later', async () => {
      await tablet.run('delete window.OffscreenCanvas')
      await choose(shelves[1]!)
      await counts('10 comptés')
    })

    it('breaks no policy and throws nothing on the way', () => {
      expect(tablet.complaints).toEqual([])
    })
  })
