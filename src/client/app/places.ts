import {
  IconArrowBackUp,
  IconBooks,
  IconCloudUpload,
  IconDevices,
  IconHome,
  IconShoppingBag,
  IconUserCircle,
} from '@tabler/icons-react'

import type { Right } from '../../domain/rights.ts'

export type Place = {
  to: string
  label: string
  Icon: typeof IconHome
  /** Shown to holders of any of these; to everyone when empty. */
  rights: readonly Right[]
  group: 'Comptoir' | 'Suivi' | 'Paramètres' | 'Moi'
}

/** Where the frame leads, in the order of the side bar. */
export const places: readonly Place[] = [
  { to: '/home', label: 'Accueil', Icon: IconHome, rights: [], group: 'Comptoir' },
  { to: '/loaning/add', label: 'Prêt', Icon: IconShoppingBag, rights: ['LOANING_ADD'], group: 'Comptoir' },
  {
    to: '/loaning/return',
    label: 'Retour',
    Icon: IconArrowBackUp,
    rights: ['LOANING_RETURN'],
    group: 'Comptoir',
  },
  { to: '/loanings', label: 'Prêts', Icon: IconBooks, rights: ['LIST_LOANINGS'], group: 'Suivi' },
  {
    to: '/waiting',
    label: 'Actions en attente',
    Icon: IconCloudUpload,
    rights: ['LOANING_ADD', 'LOANING_RETURN'],
    group: 'Suivi',
  },
  {
    to: '/settings/devices',
    label: 'Appareils',
    Icon: IconDevices,
    rights: ['PARAMETER_GENERAL'],
    group: 'Paramètres',
  },
  { to: '/account', label: 'Mon compte', Icon: IconUserCircle, rights: [], group: 'Moi' },
]

export const openPlaces = (rights: readonly Right[]): Place[] =>
  places.filter((place) => place.rights.length === 0 || place.rights.some((right) => rights.includes(right)))
