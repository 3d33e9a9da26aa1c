import type {
  FoundReference,
  getFoundImage as getFoundImageCall,
  lookUpCode as lookUpCodeCall,
} from '../../../contract/external-codes.ts'
import { cleanScan, findIsbn13 } from '../../../domain/bar-code.ts'
import type { Db } from '../../db/handles.ts'
import { coverSides } from '../../files/cover-files.ts'
import type { VerbInput } from '../../http/binding.ts'
import type { Exchange } from '../../http/exchange.ts'
import { done, notFound, type Outcome, refuse, violation } from '../../http/outcome.ts'
import type { ServedPicture } from '../../http/served-file.ts'
import { fetchCover, TooManyCoversError } from './fetch-cover.ts'
import { findNotice, readKeptNotice, sourcesOf } from './find-notice.ts'

const coverDeadlineMs = 10_000

const codeOf = (written: string) => findIsbn13(written) ?? cleanScan(written)

export async function lookUpCode(
  db: Db,
  { params }: VerbInput<typeof lookUpCodeCall>,
  exchange: Exchange,
): Promise<Outcome<FoundReference>> {
  const code = codeOf(params.code)
  if (!/^\d{8,14}$/.test(code)) return violation('code', 'Ce code n’est ni un ISBN ni un EAN.')
  const asked = await findNotice(db, code, exchange)
  if (asked === 'unknown') {
    return notFound(`Le code ${code} n’est connu d’aucun catalogue\u202f: remplissez la notice à la main.`)
  }
  if (asked === 'silent') {
    return refuse({
      status: 502,
      message:
        'Les catalogues interrogés n’ont pas répondu\u202f: réessayez, ou remplissez la notice à la main.',
    })
  }
  return done(asked.reference)
}

/** The cover that a source told when the code was looked up, drawn anew. */
export async function getFoundImage(
  db: Db,
  { params, query }: VerbInput<typeof getFoundImageCall>,
  { now, environment, lookUpSources }: Exchange,
): Promise<Outcome<ServedPicture>> {
  const notice = await readKeptNotice(db, codeOf(params.code), now)
  const address = notice?.covers[query.source]
  const source = sourcesOf(lookUpSources).find(({ name }) => name === query.source)
  if (address === undefined || !source) return noCover
  try {
    const drawn = await fetchCover(source, address, {
      sides: [coverSides.large],
      deadlineMs: coverDeadlineMs,
    })
    const bytes = drawn?.get(coverSides.large)
    return bytes ? done({ bytes: new Uint8Array(bytes), type: 'image/webp' }) : noCover
  } catch (error) {
    if (error instanceof TooManyCoversError) {
      return refuse({
        status: 429,
        message: 'Trop d’images sont cherchées à la fois\u202f: réessayez dans un instant.',
      })
    }
    environment.tell({ level: 'warn', message: `${source.name} gave no cover: ${String(error)}` })
    return refuse({ status: 502, message: 'L’image n’a pas pu être cherchée.' })
  }
}

const noCover = notFound('Aucune image n’est connue de ce code.')
