import { streamXlsxRows } from 'hucre/xlsx'
import { expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'

describeServer('lists as a file', (server) => {
  it.each([
    ['/api/export/references', 'references', 'Titre', ['Livre numéro 1', 'Film numéro 5']],
    ['/api/export/copies', 'exemplaires', 'Code-barres', ['1001', '1010']],
    ['/api/export/beneficiaries', 'beneficiaires', 'Nom', ['Martin', 'Dupont']],
  ])('%s is a spreadsheet unless said, each line of the list a row', async (path, name, column, some) => {
    const admin = await server.as('admin')
    const { status, headers, body } = await admin.get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('spreadsheetml')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}-20260310-100000.xlsx"`)
    const rows: unknown[][] = []
    for await (const { values } of streamXlsxRows(body as Buffer)) rows.push(values)
    const [titles = [], ...lines] = rows
    const { body: list } = await admin.get(path.replace('/export', ''))
    expect(lines).toHaveLength(list['hydra:totalItems'])
    expect(lines.map((line) => line[titles.indexOf(column)])).toEqual(expect.arrayContaining(some))
  })
})
