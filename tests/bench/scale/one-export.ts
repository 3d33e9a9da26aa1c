// Writes a workbook of so many invented copies to nowhere, by the product or by its library alone, and prints what that took.
import { writeXlsxStream } from 'hucre/xlsx'

import type { FileColumn } from '../../../src/server/files/table.ts'
import { tableFile } from '../../../src/server/files/table-file.ts'

const [how, count] = [process.argv[2], Number(process.argv[3])]

type Row = readonly [texts: readonly string[], day: string, price: string, loans: number]

const rowOf = (n: number): Row => [
  Array.from({ length: 12 }, (_, at) => `Valeur ${at} de l’exemplaire ${n % 5000}`),
  `20${10 + (n % 15)}-0${1 + (n % 9)}-1${n % 10}`,
  `${n % 90}.50`,
  n % 40,
]

async function* pages(): AsyncGenerator<Row[]> {
  for (let at = 0; at < count; at += 500) {
    yield await Promise.resolve(Array.from({ length: Math.min(500, count - at) }, (_, n) => rowOf(at + n)))
  }
}

const titles = [...Array.from({ length: 12 }, (_, at) => `Colonne ${at}`), 'Acquis le', 'Prix', 'Prêts']

const columns: FileColumn<Row>[] = titles.map((title, at): FileColumn<Row> => {
  const is = { key: `c${at}`, title, width: 14 }
  if (at === 12) return { ...is, kind: 'day', value: ([, day]) => day }
  if (at === 13) return { ...is, kind: 'money', value: ([, , price]) => price }
  if (at === 14) return { ...is, kind: 'count', value: ([, , , loans]) => loans }
  return { ...is, kind: 'text', value: ([texts]) => texts[at] ?? '' }
})

const byLibrary = () =>
  writeXlsxStream(
    (async function* () {
      for await (const page of pages()) {
        for (const [texts, day, price, loans] of page)
          yield [...texts, new Date(`${day}T00:00:00Z`), Number(price), loans]
      }
    })(),
    {
      name: 'Exemplaires',
      columns: titles.map((header, at) => ({
        header,
        width: 14,
        ...(at === 12 ? { numFmt: 'dd/mm/yyyy' } : at === 13 ? { numFmt: '#,##0.00\u00a0"€"' } : {}),
      })),
      freezePane: { rows: 1 },
    },
  )

const byProduct = () =>
  tableFile({ title: 'Exemplaires', about: '', columns, rows: pages() }, 'xlsx', (heading) => heading)

const before = process.resourceUsage().maxRSS
const from = performance.now()
let bytes = 0
for await (const piece of how === 'product' ? byProduct() : byLibrary()) bytes += piece.length
const took = performance.now() - from
const most = process.resourceUsage().maxRSS
process.stdout.write(JSON.stringify({ took, bytes, before: before / 1024, most: most / 1024 }))
