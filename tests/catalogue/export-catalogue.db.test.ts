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

  it.each([
    ['references', 'name', 'filters[name|like]=livre&order[name]=desc'],
    ['copies', 'bar_code', 'filters[site|eq]=1&order[bar_code]=desc'],
    ['beneficiaries', 'lastname', 'filters[searchname|like]=i&order[lastname]=desc'],
  ])('%s are text too, of the rows, order and columns of the list', async (list, column, query) => {
    const admin = await server.as('admin')
    const { body: shown } = await admin.get(`/api/${list}?${query}&limit=100`)
    const { body, headers } = await admin.get(
      `/api/export/${list}?${query}&columns=${column}&export_type=csv`,
    )
    expect(headers.get('content-disposition')).toMatch(/-20260310-100000\.csv"$/)
    const text = Buffer.from(body).toString()
    expect(text.startsWith('\ufeff')).toBe(true)
    const [, ...lines] = text.trim().split(/\r?\n/)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines).toEqual(shown['hydra:member'].map((row: Record<string, string>) => row[column]))
  })
})
