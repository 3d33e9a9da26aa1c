import {
  collectivities,
  communes,
  firstnames,
  jobs,
  lastnames,
  messages,
  quarters,
  streets,
} from './invented-names.ts'
import type { ReaderKind } from '../../domain/age-bands.ts'
import { busyReader, knownReader } from './known-codes.ts'
import { readerNumber } from './library-numbers.ts'
import { type Random, seededRandom } from './random.ts'

export type Relative = {
  id: number
  beneficiary: number
  lastname: string
  firstname: string
  reader_id: string | null
}

export type Reader = {
  id: number
  matricule: string
  lastname: string
  firstname: string
  kind: ReaderKind
  birth_year: number | null
  commune: string
  contract_type: string
  beneficiary_status: string
  site: 0 | 1
  reader_id: string
  email: string | null
  phone: string | null
  address: string
  message: string
  displayed: { name: string; value: string; tab: 'personal' | 'professional' }[]
  relatives: Relative[]
  /** Ranks of open days (open-days.ts), from the first loan to the end of the inscription. */
  joined: number
  exit: number | null
  activity: number
}

export const contracts = [
  'Plein tarif',
  'Tarif réduit',
  'Étudiant',
  'Moins de 18 ans',
  'Collectivité',
] as const
export const statuses = ['Commune', 'Métropole', 'Hors métropole'] as const

const jobsOf: Record<string, string> = { Étudiant: 'Études supérieures', 'Moins de 18 ans': 'Élève' }

const count = 600
const relativesOf = 120
const expired = 40
const withMessage = 18

export function inventReaders(random: Random, firstRank: number): Reader[] {
  const others = random.shuffle(Array.from({ length: count - 2 }, (_, at) => at + 3))
  const haveRelatives = new Set(others.slice(0, relativesOf))
  const haveLeft = new Set(others.slice(relativesOf, relativesOf + expired))
  const haveMessage = new Set(random.shuffle(others).slice(0, withMessage))
  const names = new Set<string>([`${knownReader.firstname} ${knownReader.lastname}`])
  let relativeCount = 0

  const invent = (id: number): Reader => {
    const isNamed = id === 1 ? knownReader : id === 2 ? busyReader : null
    const { firstname, lastname } = isNamed ?? newName(random, names)
    const joined =
      isNamed || !random.chance(0.25) ? firstRank - random.between(10, 900) : random.between(firstRank, -60)
    const children = haveRelatives.has(id)
      ? random.weighted([
          [1, 5],
          [2, 4],
          [3, 1],
        ] as const)
      : 0
    const relatives = Array.from({ length: children }, () => {
      relativeCount += 1
      return {
        id: relativeCount,
        beneficiary: id,
        // Others have the other parent's name.
        lastname: random.chance(0.8) ? lastname : random.pick(lastnames),
        firstname: random.pick(firstnames),
        reader_id: random.chance(0.9) ? readerNumber(count + relativeCount) : null,
      }
    })
    const contract_type = random.weighted([
      [contracts[0], 50],
      [contracts[1], 18],
      [contracts[2], 16],
      [contracts[3], children > 0 ? 0 : 13],
      [contracts[4], children > 0 ? 0 : 3],
    ])
    const beneficiary_status = random.weighted([
      [statuses[0], 70],
      [statuses[1], 24],
      [statuses[2], 6],
    ])
    const life = inventLife(id, contract_type, beneficiary_status)
    // Powers may differ in their last digit between engines of JavaScript, products do not.
    const share = random.next()
    return {
      id,
      matricule: String(id).padStart(6, '0'),
      lastname: life.name ?? lastname,
      firstname: life.name === null ? firstname : '',
      contract_type,
      ...life.facts,
      beneficiary_status,
      site: isNamed || random.chance(0.66) ? 0 : 1,
      reader_id: readerNumber(id),
      email: !isNamed && random.chance(0.08) ? null : emailOf(firstname, lastname, id),
      // The French regulator sets these numbers aside for fiction.
      phone: random.chance(0.12) ? null : `06 39 98 ${twoDigits(random)} ${twoDigits(random)}`,
      address: `${random.between(1, 140)} ${random.pick(streets)}, ${life.postcode} ${life.facts.commune}`,
      message: haveMessage.has(id) ? random.pick(messages) : '',
      displayed: [
        { name: 'Quartier', value: random.pick(quarters), tab: 'personal' },
        { name: 'Profession', value: jobsOf[contract_type] ?? random.pick(jobs), tab: 'professional' },
      ],
      relatives,
      joined,
      exit: haveLeft.has(id)
        ? Math.max(joined + 20, random.between(-240, -1))
        : isNamed || random.chance(0.12)
          ? null
          : random.between(2, 258),
      activity: isNamed ? 0 : 0.15 + 3 * share * share * share + children * 0.6,
    }
  }
  return Array.from({ length: count }, (_, at) => invent(at + 1))
}

const collectivity = contracts[4]

/** By chance of its own, so that the rest of the library stays what it was. */
function inventLife(id: number, contract_type: string, status: string) {
  const random = seededRandom(9_000_000 + id)
  const [commune, postcode] = random.pick(communes[status] ?? communes['Commune'] ?? [])
  const [from, to] = yearsOf[contract_type] ?? [1938, 2003]
  const isCollectivity = contract_type === collectivity
  return {
    facts: {
      kind: isCollectivity ? ('collectivity' as const) : ('person' as const),
      birth_year: isCollectivity || random.chance(0.04) ? null : random.between(from, to),
      commune,
    },
    name: isCollectivity ? random.pick(collectivities) : null,
    postcode,
  }
}

const yearsOf: Record<string, readonly [number, number]> = {
  Étudiant: [2000, 2007],
  'Moins de 18 ans': [2009, 2021],
}

function newName(random: Random, taken: Set<string>): { firstname: string; lastname: string } {
  for (;;) {
    const firstname = random.pick(firstnames)
    const lastname = random.pick(lastnames)
    const name = `${firstname} ${lastname}`
    if (taken.has(name)) continue
    taken.add(name)
    return { firstname, lastname }
  }
}

const twoDigits = (random: Random) => String(random.between(0, 99)).padStart(2, '0')

const plain = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z-]/g, '')

const emailOf = (firstname: string, lastname: string, id: number) =>
  `${plain(firstname)}.${plain(lastname)}${id > 2 && id % 7 === 0 ? id : ''}@exemple.fr`
