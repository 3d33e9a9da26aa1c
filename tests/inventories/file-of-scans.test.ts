import { expect, it } from 'vitest'

import { fileOfScans } from '../../src/client/inventories/file-of-scans.ts'
import { countName, type StoredScan } from '../../src/offline/inventory-rows.ts'

it('a file of scans is a table with French headings, of a scan as the screen says it', async () => {
  const scan: StoredScan = {
    key: '6f1c1f0e-0000-4000-8000-000000000001',
    inventory: 7,
    site: 1,
    location: 2,
    bar_code: '1005',
    copy: 5,
    way: 'scanner',
    verdict: 'elsewhere',
    name: 'Un titre «\u00a0dit\u00a0"cité"»',
    environment_id: 1,
    user_id: 2,
    username: 'biblio',
    device_id: 'tablette',
    seq: 1,
    v: 1,
    count: countName(1, 7),
    note: '',
    taken_back: false,
    scanned_at: '2026-03-10T08:30:00.000Z',
    state: 'refused',
    revision: 0,
    is_late: false,
    problem: null,
  }
  const of = { loaded: { name: 'Récolement 2026', shelves: [{ id: 2, label: 'Rayon B', bar_code: null }] } }
  const { name, content } = fileOfScans(of, [scan])
  expect(name).toBe('inventaire-Récolement-2026-scans.csv')
  const [heads, line] = (await content.text()).split('\r\n')
  expect(heads?.replace('\ufeff', '')).toBe(
    'Code-barres;Titre;Résultat;Scanné le;Emplacement;Écrit dessus;Scanné par;Refus;Numéro du scan',
  )
  expect(line).toMatch(
    /^"1005";"Un titre .*""cité"".*";"Ailleurs";"10.*2026.*";"Rayon B";"";"biblio";"";"6f1c/,
  )
})
