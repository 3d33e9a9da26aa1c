import type { MediumRules } from '../../domain/loan-rules.ts'

type DemonstrationMedium = Pick<
  MediumRules,
  'max_loaning' | 'max_late' | 'penalty_enabled' | 'penalty_amount'
> & {
  name: string
  code: string
  /** In weeks. */
  duration: number
  /** For each week of a loan. */
  price: string
}

export const demonstrationMedia = [
  {
    name: 'Livre',
    code: 'LIV',
    duration: 3,
    max_loaning: 10,
    max_late: 3,
    penalty_enabled: true,
    penalty_amount: '0.30',
    price: '0.00',
  },
  {
    name: 'DVD',
    code: 'DVD',
    duration: 1,
    max_loaning: 4,
    max_late: 2,
    penalty_enabled: true,
    penalty_amount: '0.50',
    price: '1.00',
  },
  {
    name: 'CD',
    code: 'CD',
    duration: 2,
    max_loaning: 6,
    max_late: 3,
    penalty_enabled: false,
    penalty_amount: null,
    price: '0.00',
  },
] as const satisfies readonly DemonstrationMedium[]

export const graceDays = 7

export const locations = ['Rayon adultes', 'Rayon jeunesse', 'Kiosque', 'Discothèque', 'Vidéothèque'] as const
export type Location = (typeof locations)[number]
