import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { httpAnswer, openTcpProxy, type TcpProxy } from '../../faults/tcp-proxy.ts'
import { type Api, apiOf } from '../../support/api-of.ts'
import { findEngines, openTablet, type Tablet, type Wanted } from '../../support/engines.ts'
import { openRunningServer, type RunningServer } from '../../support/running-server.ts'
import { testPassword } from '../../support/test-library.ts'

// The counter's day in each engine; a broken connection cuts the network, because WebKit and Firefox cannot
// emulate it.

// Too short to be taken for a scanner's: the pace of keys is the driver's, and a busy machine's.
const code = (n: number) => String(1000 + n)
const title = (n: number) => `Livre numéro ${n}`

const button = (name: string | RegExp, within?: Wanted): Wanted => ({
  role: 'button',
  name,
  ...(within && { within }),
})
const dialog = (name: string): Wanted => ({ role: 'dialog', name })
const scanBox: Wanted = { label: 'Code-barres, carte ou nom du lecteur' }
const line = (n: number, ...holding: string[]): Wanted => ({
  role: 'listitem',
  holding: [title(n), ...holding],
  within: { role: 'list', name: 'Derniers passages' },
})
const reader: Wanted = { role: 'region', name: 'Lecteur' }
const waitingTag: Wanted = { role: 'link', name: /actions? en attente/ }

const engines = await findEngines()

for (const engine of engines)
  describe.skipIf(!engine.isHere)(`the counter in ${engine.name}`, () => {
    let server: RunningServer
    let proxy: TcpProxy
    let api: Api
    let tablet: Tablet

    beforeAll(async () => {
      server = await openRunningServer()
      proxy = await openTcpProxy(server.port)
      api = await apiOf(server.address, 'biblio', testPassword)
      for (const copy of [6, 7]) await api.post('/api/loanings', { beneficiary: 2, copy })
      tablet = await openTablet(engine, proxy.address)
    })
    afterAll(async () => {
      await tablet?.close()
      await proxy?.close()
      await server?.drop()
    })

    const cut = () => {
      proxy.isDown = true
      proxy.cutAll()
    }
    const put = async (text: string) => {
      await tablet.type(scanBox, text)
      await tablet.key('Enter')
    }
    const chooseAlice = async () => {
      await put('R1')
      await tablet.sees({ ...reader, holding: ['Alice Martin'] })
    }

    it('is signed in to, on the site that was chosen', async () => {
      await tablet.open('/login')
      await tablet.type({ label: 'Nom d’utilisateur' }, 'biblio')
      await tablet.type({ label: 'Mot de passe' }, testPassword)
      await tablet.press(button('Se connecter'))
      await tablet.press(button(/^Centre/, dialog('Choisissez votre site')))
      await tablet.misses(dialog('Choisissez votre site'))
      await tablet.sees(scanBox)
    })

    it('lends to a reader and takes a return', async () => {
      await chooseAlice()
      await put(code(1))
      await tablet.sees(line(1, 'Retour le ', 'Confirmé'))
      await put(code(6))
      await tablet.sees(line(6, 'Rendu (prêté à ', 'Confirmé'))
      expect(await api.lent()).toEqual([code(1), code(7)])
    })

    it('says why the camera does not show, and takes the code from the hand', async () => {
      await tablet.press(button('Scanner'))
      const sheet = dialog('Scanner')
      await tablet.sees({ role: 'alert', holding: [engine.ofCamera], within: sheet })
      await tablet.type({ label: 'Code écrit sous les barres', within: sheet }, code(2))
      await tablet.press(button('Valider', sheet))
      await tablet.sees(line(2, 'Retour le ', 'Confirmé'))
      await tablet.press(button('Fermer la caméra', sheet))
      await tablet.misses(sheet)
    })

    it('asks in a dialog, and gives the focus back to what opened it', async () => {
      await tablet.open('/loanings')
      const menu = button(`Actions\u202f: ${title(7)}`)
      await tablet.press(menu)
      await tablet.press({ role: 'menuitem', name: 'Prolonger' })
      await tablet.sees({ ...dialog('Prolonger le prêt'), holding: [title(7)] })
      await tablet.key('Escape')
      await tablet.misses(dialog('Prolonger le prêt'))
      await tablet.isAt(menu)
    })

    it('lends and returns without a network, is loaded again without one, and sends all of it once when it is back', async () => {
      await tablet.open('/account')
      await tablet.sees({ text: /^\d.*exemplaires?,/ })
      await tablet.run(
        'window.ready = false; navigator.serviceWorker.ready.then(() => { window.ready = true })',
      )
      await expect.poll(() => tablet.run('return window.ready')).toBe(true)
      await tablet.open('/home')
      await tablet.sees(scanBox)
      const loans = await api.countLoans()

      cut()
      await chooseAlice()
      for (const n of [3, 4]) {
        await put(code(n))
        await tablet.sees(line(n, 'Retour le ', 'Enregistré'))
      }
      await put(code(7))
      await tablet.sees(line(7, 'Rendu (prêté à ', 'Enregistré'))
      await tablet.sees({ text: 'Hors ligne' })
      await tablet.sees(waitingTag)

      await tablet.reload()
      await chooseAlice()
      await tablet.press(button(/^\d+ prêts? en cours$/, reader))
      await tablet.sees({ ...reader, holding: [title(4)] })
      await tablet.open('/waiting')
      await tablet.sees({ text: title(7) })

      proxy.isDown = false
      await tablet.open('/home')
      await tablet.sees(scanBox)
      await expect.poll(() => api.lent()).toEqual([1, 2, 3, 4].map(code))
      await tablet.misses(waitingTag)
      await tablet.sees({ text: 'En ligne' })
      expect(await api.countLoans()).toBe(loans + 2)
    })

    it('offers a new version of the application, and is on it once it was taken', async () => {
      const worker = await (await fetch(`${server.address}/sw.js`)).text()
      const newer = httpAnswer(200, `${worker}\n// une version de plus`, {
        'Content-Type': 'text/javascript',
        'Cache-Control': 'no-cache',
      })
      proxy.fateOf = ({ path }) => (path === '/sw.js' ? newer : 'pass')
      await tablet.run('window.isOld = true; navigator.serviceWorker.ready.then((found) => found.update())')
      await tablet.press(button('Mettre à jour'))
      await tablet.isNew()
      await tablet.sees(scanBox)
      await tablet.misses(button('Mettre à jour'))
    })

    it('breaks no policy and throws nothing on the way', () => {
      expect(tablet.complaints).toEqual([])
    })
  })
