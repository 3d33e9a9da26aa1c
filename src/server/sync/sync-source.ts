import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { largestImport } from '../../contract/imports.ts'
import { shortFileName } from '../../domain/upload-rules.ts'
import { fetchOutside } from '../catalogue/look-up/fetch-outside.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden, type Refused } from '../http/outcome.ts'
import { bringIn } from '../imports/run-import.ts'
import type { Step } from '../jobs/job.ts'
import { areAllReadersOpen, visibilityOf } from '../visibility/visibility.ts'

/** Some lines of the file, as an import's, for the whole library. */
export const syncStep: Step = (trx, { input, cursor }, { exchange }) =>
  bringIn(
    trx,
    {
      input,
      cursor,
      isDry: false,
      may: () => syncRefusal(exchange) === null,
      whole: ofWholeLibrary(exchange),
    },
    exchange,
  )

/** Where a source names the library by its number. */
const libraryMark = '{bibliotheque}'

/** The source of one library of `count`: with several it names each, so that nobody's readers become another's. */
export function sourceFor(source: string | null, id: number, count: number): string | null {
  if (source === null) return null
  const own = source.replaceAll(libraryMark, String(id))
  return own !== source || count === 1 ? own : null
}

/** What a person who waits for an answer still waits for. */
const patienceMs = 12_000

/** In a sentence that ends what it says of the file. */
export class UnreadSourceError extends Error {
  override name = 'UnreadSourceError'
}

type FetchedSource = { path: string; name: string; forget(): Promise<void> }

/** Has the file of persons in a place of its own; throws an `UnreadSourceError` that names no address, which may hold a secret. */
export async function fetchSource(source: string): Promise<FetchedSource> {
  const directory = await mkdtemp(join(tmpdir(), 'comptoir-'))
  const path = join(directory, 'file')
  const forget = () => rm(directory, { recursive: true, force: true })
  try {
    const name = /^https?:/i.test(source) ? await download(source, path) : await copy(source, path)
    return { path, name: shortFileName(name), forget }
  } catch (error) {
    await forget()
    throw error
  }
}

async function download(source: string, path: string): Promise<string> {
  const address = new URL(source)
  try {
    const bytes = await fetchOutside(address, {
      own: [address.host],
      accept: '*/*',
      mostBytes: largestImport,
      staysSecure: true,
      signal: AbortSignal.timeout(patienceMs),
    })
    await writeFile(path, bytes, { mode: 0o600 })
  } catch (error) {
    throw new UnreadSourceError('son adresse ne l’a pas donné', { cause: error })
  }
  return basename(address.pathname) || address.hostname
}

async function copy(source: string, path: string): Promise<string> {
  try {
    const found = await stat(source)
    if (found.isFile() && found.size <= largestImport) {
      await copyFile(source, path)
      return basename(source)
    }
  } catch (error) {
    throw new UnreadSourceError('il n’est pas lisible sur le serveur', { cause: error })
  }
  throw new UnreadSourceError('ce n’est pas un fichier de 16 Mo au plus')
}

const needed = ['BENEFICIARY_EDIT', 'BENEFICIARY_CONTACT', 'BENEFICIARY_ADDRESS'] as const

/** Its readers are of every site: whoever some are hidden from neither asks for it nor reads what it did. */
export const syncRefusal = ({ caller, visibility }: Exchange): Refused | null =>
  caller.rights.has('PARAMETER_SYNCRONIZE') && areAllReadersOpen(visibility)
    ? null
    : forbidden('La synchronisation touche les lecteurs de tous les sites\u202f: il faut les avoir tous.')

/** The person chooses neither what comes nor where it goes, and so needs no right to each of these readers. */
export function ofWholeLibrary(exchange: Exchange): Exchange {
  const rights = new Set([...exchange.caller.rights, ...needed])
  const caller = { ...exchange.caller, rights, sites: [] }
  return { ...exchange, caller, site: null, visibility: visibilityOf(caller, null, exchange) }
}
