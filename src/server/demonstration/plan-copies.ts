import type { CopyState, CopyStatus } from '../../domain/loan-rules.ts'
import { knownCopies, knownCopiesByMedium } from './known-codes.ts'
import { copyNumber } from './library-numbers.ts'
import type { Random } from './random.ts'
import type { Work } from './read-works.ts'

export type Copy = {
  id: number
  work: Work
  site: 0 | 1
  bar_code: string
  state: CopyState
  status: CopyStatus
  bought: number
  /** New, and kept out of every invented loan and reservation (known-codes.ts). */
  isKnown: boolean
  /** Present on a copy on its way. */
  sent: { from: 0 | 1; rank: number } | null
}

const count = 10_000
const mostPerWork = 12
const unusable = 12
const withdrawn = 10
const onTheWay = 6

/** A copy for each ten of the `loansPerYear` of a work, the most asked ones at the annexe too. */
export function planCopies(
  random: Random,
  works: readonly Work[],
  loansPerYear: (work: Work) => number,
): Copy[] {
  const copies: Copy[] = []
  const numbers: [number, number] = [0, 0]
  const add = (work: Work, site: 0 | 1, own: Partial<Copy> = {}) => {
    numbers[site] += 1
    const bar_code = copyNumber(site, numbers[site])
    const state = random.weighted<CopyState>([
      ['VERY_GOOD', 68],
      ['GOOD', 28],
      ['DAMAGED', 4],
    ])
    const bought = random.between(-1000, -525)
    copies.push({
      id: copies.length + 1,
      work,
      site,
      bar_code,
      state,
      status: 'Disponible',
      bought,
      isKnown: false,
      sent: null,
      ...own,
    })
  }

  for (const work of knownWorks(works)) add(work, 0, { isKnown: true, state: 'VERY_GOOD', bought: -3 })

  const wanted = works.map((work) => Math.min(mostPerWork, Math.max(1, Math.ceil(loansPerYear(work) / 10))))
  let spare = count - copies.length - wanted.reduce((sum, number) => sum + number, 0)
  const byDemand = works
    .map((_, at) => at)
    .sort((a, b) => loansPerYear(works[b] as Work) - loansPerYear(works[a] as Work))
  for (const at of byDemand) {
    if (spare <= 0) break
    if (wanted[at] !== 1) continue
    wanted[at] = 2
    spare -= 1
  }
  for (const [at, work] of works.entries()) {
    const number = wanted[at] ?? 1
    for (let nth = 0; nth < number; nth++) {
      const isAnnexe = number === 1 ? random.chance(0.22) : nth % 3 === 1
      add(work, isAnnexe ? 1 : 0)
    }
  }

  const aside = random
    .shuffle(copies.filter(({ isKnown }) => !isKnown))
    .slice(0, unusable + withdrawn + onTheWay)
  for (const [at, copy] of aside.entries()) {
    copy.status = at < unusable + withdrawn ? 'Non Disponible' : 'En transfert'
    if (at < unusable) copy.state = 'UNUSABLE'
    if (copy.status === 'En transfert') copy.sent = { from: copy.site === 0 ? 1 : 0, rank: -(at % 3) }
  }
  return copies
}

function knownWorks(works: readonly Work[]): Work[] {
  const authors = new Set<string>()
  const found = knownCopiesByMedium.flatMap(([medium, number]) =>
    works
      .filter(({ medium: { name }, reference: { tags, reference_data }, location }) => {
        const isKnown =
          name === medium &&
          tags.author &&
          location !== 'Kiosque' &&
          !reference_data.volume &&
          (name !== 'Livre' || reference_data.person_in_charge) &&
          !authors.has(tags.author)
        if (isKnown && tags.author) authors.add(tags.author)
        return isKnown
      })
      .slice(0, number),
  )
  if (found.length !== knownCopies.length) throw new Error('too few works to show')
  return found
}
