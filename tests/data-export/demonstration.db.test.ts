import { createHash } from 'node:crypto'

import { afterAll, describe, expect, it, vi } from 'vitest'

import { loadDemonstration } from '../../src/server/demonstration/load-demonstration.ts'
import { readArchive } from '../../src/server/data-export/read-archive.ts'
import { isEngineReachable, testEngine } from '../support/databases.ts'
import { archiveOf, openPlaces } from './archiving.ts'
import { entriesOf } from './read-zip.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 180_000 })

/** By name; of those that say when it was made, only that they are there. */
const printsOf = (entries: ReadonlyMap<string, Buffer>) =>
  [...entries].map(([name, bytes]) => [
    name,
    ['LISEZ-MOI.html', 'archive.json'].includes(name) ? '' : createHash('sha256').update(bytes).digest('hex'),
  ])

describe.skipIf(!isEngineReachable())(`the demonstration (${testEngine})`, () => {
  const places = openPlaces()
  afterAll(() => places.drop())

  it('leaves for an empty installation, and leaves from there the same', async () => {
    const directory = await places.directory()
    const shown = await places.installation()
    await loadDemonstration(shown, { today: '2026-03-10' })
    const path = await archiveOf(shown, directory)
    const first = await entriesOf(path)
    const installation = await places.installation()
    const { rows } = await readArchive(installation, path)
    expect(rows.get('references.csv')).toBeGreaterThan(8000)
    expect(rows.get('prets.csv')).toBeGreaterThan(1000)
    expect(rows.get('reservations.csv')).toBeGreaterThan(0)
    expect(printsOf(await entriesOf(await archiveOf(installation, directory)))).toEqual(printsOf(first))
  })
})
