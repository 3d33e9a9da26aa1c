import '../support/page-globals.ts'

import { screen } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'

import { closeCounter, openCounter } from '../loans/open-counter.tsx'
import { describeServer } from '../support/test-server.ts'

afterEach(closeCounter)

describeServer('a label read by a hand scanner', (server) => {
  it('is found as it is written, or without the guards that a Codabar scanner types around it', async () => {
    await sql`insert into "references" (name, code, category, medium) values ('Avec des lettres', 'AL', 1, 1), ('Sans gardes', 'SG', 1, 1)`.execute(
      server.db,
    )
    await sql`insert into copies (reference, bar_code, site) select id, case code when 'AL' then 'A00012B' else '3000001' end, 1
      from "references" where code in ('AL', 'SG')`.execute(server.db)
    const page = await openCounter('/loaning/add', server)
    await screen.findByRole('heading', { name: 'Prêter' })
    page.scan('R1')
    page.scan('A00012B')
    expect((await screen.findAllByText(/Avec des lettres/)).length).toBeGreaterThan(0)
    page.scan('A3000001B')
    expect((await screen.findAllByText(/Sans gardes/)).length).toBeGreaterThan(0)
  })
})
