import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** Photographs of zxing's black-box tests in `COMPTOIR_SHARED`, or `../shared` beside the repository. */
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

const symbologyOf: Record<string, Symbology> = {
  codabar: 'codabar',
  code128: 'code_128',
  code39: 'code_39',
  ean13: 'ean_13',
  itf: 'itf',
  qrcode: 'qr_code',
  upca: 'upc_a',
}

/**
 * Every photograph of a code of ours, one at a time because all would fill the memory; `COMPTOIR_BLACKBOX`
 * names core/src/test/resources/blackbox of github.com/zxing/zxing.
 */
export function* readBlackBox(folder: string): Generator<Photograph> {
  for (const set of readdirSync(folder).sort()) {
    const symbology = symbologyOf[set.replace(/-.*/, '')]
    if (symbology === undefined) continue
    for (const name of readdirSync(join(folder, set)).filter((file) => file.endsWith('.png'))) {
      const answer = ['txt', 'bin']
        .map((kind) => join(folder, set, name.replace(/png$/, kind)))
        .find(existsSync)
      if (answer === undefined) throw new Error(`${set}/${name} has no answer`)
      const text = readFileSync(answer, answer.endsWith('.txt') ? 'utf8' : 'latin1')
      const pixels = readPng(readFileSync(join(folder, set, name)))
      yield { path: `${set}/${name}`, expected: cleanScan(text, symbology), pixels }
    }
  }
}
