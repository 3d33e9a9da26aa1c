import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanScan } from '../../src/domain/bar-code.ts'
import type { Symbology } from '../../src/domain/bar-code.ts'
import { readPng } from './read-png.ts'
import type { Pixels } from './read-png.ts'

export interface Photograph {
  path: string
  /** What a scan of it must give, cleaned. */
  expected: string
  pixels: Pixels
}

/** Bar code photographs of zxing's black-box tests: `COMPTOIR_SHARED`, else `../shared` beside the repository. */
export function findPhotographs(): Photograph[] {
  const beside = fileURLToPath(new URL('../../../shared', import.meta.url))
  const folder = join(process.env['COMPTOIR_SHARED'] ?? beside, 'data/scan')
  const manifest = join(folder, 'manifest.tsv')
  if (!existsSync(manifest)) return []
  const rows = readFileSync(manifest, 'utf8').trim().split('\n').slice(1)
  return rows.map((row) => {
    const [, format = '', path = '', json = '""'] = row.split('\t')
    const symbology = format.toLowerCase() as Symbology
    return {
      path,
      expected: cleanScan(JSON.parse(json) as string, symbology),
      pixels: readPng(readFileSync(join(folder, path))),
    }
  })
}
