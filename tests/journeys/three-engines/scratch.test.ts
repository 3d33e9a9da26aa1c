import { writeFileSync } from 'node:fs'
import { afterAll, describe, beforeAll, expect, it } from 'vitest'
import { apiOf } from '../../support/api-of.ts'
import { testPassword } from '../../support/test-library.ts'
import { findEngines, openTablet, type Tablet } from '../../support/engines.ts'
import { openRunningServer, type RunningServer } from '../../support/running-server.ts'
const engines = await findEngines()
for (const e of engines) describe(e.name, () => {
let server: RunningServer, tablet: Tablet
beforeAll(async () => { server = await openRunningServer(); const api = await apiOf(server.address, 'biblio', testPassword); 
 for (const copy of [5,6,7]) await api.post('/api/loanings', { beneficiary: 2, copy, ...(copy === 5 ? {start_date: '2026-01-05', override_reason: 'Reprise du cahier'}: {}) })
 tablet = await openTablet(e, server.address) })
afterAll(async () => { await tablet?.close(); await server?.drop() })
const shot = async (n: string) => { await new Promise((r) => setTimeout(r, 700)); writeFileSync(`/work/x/engines/shot-${e.name}-${n}.png`, await tablet.picture()) }
it('registration', async () => {
  await tablet.open('/login')
  await tablet.run(`window.log=[]; const t0=performance.now(); const say = (x) => window.log.push(Math.round(performance.now()-t0) + ' ' + x);
    navigator.serviceWorker.addEventListener('controllerchange', () => say('controllerchange'));
    const tick = async () => { const r = await navigator.serviceWorker.getRegistration(); const s = r ? ['installing','waiting','active'].map(k => k + '=' + (r[k] ? r[k].state : '-')).join(' ') : 'none'; const c = navigator.serviceWorker.controller ? ' controlled':''; const b = document.body.textContent.includes('Une nouvelle version') ? ' OFFERED' : ''; const all = s + c + b; if (window.last !== all) { window.last = all; say(all) } setTimeout(tick, 10) }; tick();`)
  await expect.poll(async () => Number(await tablet.run('return window.log.some((l) => l.includes("active=activated")) ? (window.done = window.done || performance.now(), performance.now() - window.done) : 0')), { timeout: 60000 }).toBeGreaterThan(2000)
  console.log(e.name, JSON.stringify(await tablet.run('return window.log'), null, 1))
  console.log(e.name, JSON.stringify(await tablet.run('return [innerWidth, innerHeight, navigator.language, matchMedia("(prefers-reduced-motion: reduce)").matches, Intl.DateTimeFormat().resolvedOptions().timeZone]')))
})
it('pictures', async () => {
  await shot('login')
  await tablet.type({ label: 'Nom d’utilisateur' }, 'biblio')
  await tablet.type({ label: 'Mot de passe' }, testPassword)
  await tablet.press({ role: 'button', name: 'Se connecter' })
  await tablet.sees({ role: 'dialog', name: 'Choisissez votre site' }); await shot('site')
  await tablet.press({ role: 'button', name: /^Centre/, within: { role: 'dialog', name: 'Choisissez votre site' } })
  const box = { label: 'Code-barres, carte ou nom du lecteur' }
  for (const c of ['R1', '1001', '1002', '1006']) { await tablet.type(box, c); await tablet.key('Enter') }
  await tablet.sees({ role: 'listitem', holding: ['Rendu'] }); await shot('home')
  await tablet.press({ role: 'button', name: 'Scanner' }); await tablet.sees({ role: 'alert' }); await shot('camera')
  await tablet.press({ role: 'button', name: 'Fermer la caméra' })
  await tablet.open('/loanings'); await tablet.sees({ role: 'link', name: 'Livre numéro 7' }); await shot('loans')
  await tablet.press({ role: 'button', name: 'Actions : Livre numéro 7' }); await tablet.sees({ role: 'menuitem', name: 'Prolonger' }); await shot('menu')
  await tablet.press({ role: 'menuitem', name: 'Prolonger' }); await tablet.sees({ role: 'dialog', name: 'Prolonger le prêt' }); await shot('dialog')
  await tablet.key('Escape'); await tablet.misses({ role: 'dialog', name: 'Prolonger le prêt' })
  for (const p of ['/account', '/waiting', '/loaning/add', '/loaning/return']) { await tablet.open(p); await tablet.sees({ role: 'heading' }); await shot(p.replaceAll('/', '')) }
  console.log(e.name, JSON.stringify(tablet.complaints))
}, 120000)
})
