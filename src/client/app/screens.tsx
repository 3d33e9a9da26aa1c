import {
  IconArrowBackUp,
  IconBarcode,
  IconBasketX,
  IconBook,
  IconBook2,
  IconBooks,
  IconCalendarWeek,
  IconClipboardList,
  IconCash,
  IconChartBar,
  IconClock,
  IconCloudUpload,
  IconFileImport,
  IconHome,
  IconMail,
  IconMailOpened,
  IconScan,
  IconSettings,
  IconShoppingBag,
  IconTruck,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'

import { actRights, importRightCodes } from '../../domain/act-rights.ts'
import type { Right } from '../../domain/rights.ts'
import { anyStatRight, statRights } from '../../domain/stat-rights.ts'
import { useWaitingCount } from '../outbox/waiting-data.ts'
import { inWords } from '../page/house-words.ts'
import { hasEveryWord } from '../ui/every-word.ts'
import type { Trail } from '../ui/trail.ts'
import { counted } from '../ui/words.ts'
import { PlaceCount } from './place-count.tsx'

/** Beside « Actions en attente »: how many wait on this device. */
function WaitingCount() {
  const count = useWaitingCount()
  return <PlaceCount count={count} tone="wait" words={counted(count, 'en attente', 'en attente')} />
}

const LateCount = lazy(() => import('./late-count.tsx'))
const PickingCount = lazy(() => import('./picking-count.tsx'))
const ArrivalCount = lazy(() => import('./arrival-count.tsx'))

type Load = () => Promise<{ default: ComponentType }>

/** Screens that travel together, each by its name. */
const among =
  <S extends Record<string, ComponentType>>(load: () => Promise<S>) =>
  (name: keyof S): Load =>
  async () => ({ default: (await load())[name]! })

const inventories = among(() => import('../inventories/screens.ts'))
const labels = among(() => import('../labels/screens.ts'))
const weeding = among(() => import('../weeding/screens.ts'))
const imports = among(() => import('../imports/screens.ts'))
const words = among(() => import('../catalogue/word-screens.ts'))
const settingsLists = among(async () => (await import('./settings-list-screens.tsx')).settingsListScreens)
const users = among(() => import('../users/screens.ts'))
const readers = among(() => import('../beneficiaries/form-screens.ts'))
const mail = among(() => import('../mail/screens.ts'))
const reservations = among(() => import('../reservations/screens.ts'))
const sales = among(() => import('../sales/screens.ts'))
const acts = among(() => import('../bulk-operations/screens.ts'))
const personalData = among(() => import('../erasure/screens.ts'))
const stats = among(() => import('../stats/screens.ts'))

/** A screen's address and right, and its places in menus, settings and search. */
export type Screen = {
  path: string
  load: Load
  /** Any of these opens it; everyone who is signed in where there are none. */
  rights?: readonly Right[]
  /** Whether it does its work without a network; any other says so there. */
  worksOffline?: true
  /** « Scanner » of a phone's bar opens its camera; elsewhere, the counter's. */
  hasCamera?: true
  /** Says nothing where the library has one site, and then stands in no menu. */
  isForSeveralSites?: true
  /** Address of the screen that it stands under, where the trail of its header begins. */
  under?: string
  /** Shown beside its list where there is room. */
  isBeside?: true
  /** A setting beside which the index of the others has no room but on a very wide screen. */
  isWide?: true
} & (
  | Led
  | { label: string; section: Section; also?: string }
  | { label: string; Icon: typeof IconHome; also: string }
  | { label?: undefined }
)

/** In the menus. `also`: other words by which it is searched. */
type Led = {
  label: string
  Icon: typeof IconHome
  group: Group
  also?: string
  Count?: ComponentType
}
/** In the settings. */
type Section = 'Général' | 'Lecteurs' | 'Références' | 'Exemplaires' | 'Prêts'

/** In the order of the menus. */
export const groups = {
  Comptoir: IconBarcode,
  Lecteurs: IconUsers,
  Catalogue: IconBook,
  Suivi: IconClipboardList,
  Argent: IconCash,
  Réglages: IconSettings,
} as const
export type Group = keyof typeof groups

/** Every screen behind the door, in the order of the menus. */
export const screens: readonly Screen[] = [
  {
    path: '/home',
    label: 'Accueil',
    Icon: IconHome,
    group: 'Comptoir',
    worksOffline: true,
    load: () => import('../home/home-screen.tsx'),
  },
  {
    path: '/loaning/add',
    label: 'Prêter',
    also: 'nouveau prêt, emprunt',
    Icon: IconShoppingBag,
    rights: ['LOANING_ADD'],
    group: 'Comptoir',
    worksOffline: true,
    hasCamera: true,
    load: () => import('../lending/add-loan-screen.tsx'),
  },
  {
    path: '/loaning/return',
    label: 'Rendre',
    also: 'retour',
    Icon: IconArrowBackUp,
    rights: ['LOANING_RETURN'],
    group: 'Comptoir',
    worksOffline: true,
    hasCamera: true,
    load: () => import('../lending/return-screen.tsx'),
  },
  {
    path: '/beneficiaries',
    label: 'Lecteurs',
    also: 'bénéficiaires, adhérents, inscriptions',
    Icon: IconUsers,
    rights: ['LIST_BENEFICIARIES'],
    group: 'Lecteurs',
    load: () => import('../beneficiaries/reader-list-screen.tsx'),
  },
  {
    path: '/beneficiaries/view/:beneficiary_id',
    under: '/beneficiaries',
    isBeside: true,
    rights: ['LIST_BENEFICIARIES'],
    load: () => import('../beneficiaries/reader-view-screen.tsx'),
  },
  {
    path: '/beneficiaries/add',
    under: '/beneficiaries',
    rights: ['BENEFICIARY_EDIT'],
    load: readers('add'),
  },
  {
    path: '/beneficiaries/edit/:beneficiary_id',
    under: '/beneficiaries',
    rights: ['BENEFICIARY_EDIT'],
    load: readers('edit'),
  },
  {
    path: '/references',
    label: 'Références',
    also: 'catalogue, titres, notices',
    Icon: IconBook2,
    rights: ['LIST_REFERENCES'],
    group: 'Catalogue',
    load: () => import('../catalogue/reference-list-screen.tsx'),
  },
  {
    path: '/references/view/:reference_id',
    under: '/references',
    isBeside: true,
    rights: ['LIST_REFERENCES'],
    load: () => import('../catalogue/reference-view-screen.tsx'),
  },
  {
    path: '/references/add',
    under: '/references',
    rights: ['COPY_CREATEREF'],
    hasCamera: true,
    load: () => import('../catalogue/reference-add-screen.tsx'),
  },
  {
    path: '/references/edit/:reference_id',
    under: '/references',
    rights: ['REFERENCE_EDIT'],
    load: () => import('../catalogue/reference-edit-screen.tsx'),
  },
  {
    path: '/bar_codes',
    label: 'Codes-barres',
    also: 'étiquettes, cotes',
    Icon: IconBarcode,
    rights: ['BARCODE_PRINT'],
    group: 'Catalogue',
    load: labels('list'),
  },
  {
    path: '/bar_codes/print',
    under: '/bar_codes',
    rights: ['BARCODE_PRINT'],
    load: labels('print'),
  },
  {
    path: '/inventories',
    label: 'Inventaire',
    also: 'récolement',
    Icon: IconScan,
    rights: ['INVENTORY'],
    group: 'Catalogue',
    worksOffline: true,
    load: inventories('list'),
  },
  {
    path: '/inventories/add',
    under: '/inventories',
    rights: ['INVENTORY'],
    load: inventories('add'),
  },
  {
    path: '/inventories/view/:inventory_id',
    under: '/inventories',
    rights: ['INVENTORY'],
    load: inventories('view'),
  },
  {
    path: '/inventories/count/:inventory_id',
    under: '/inventories',
    rights: ['INVENTORY'],
    worksOffline: true,
    hasCamera: true,
    load: inventories('count'),
  },
  {
    path: '/inventories/review/:inventory_id',
    under: '/inventories',
    rights: ['INVENTORY'],
    load: inventories('review'),
  },
  {
    path: '/weeding',
    label: 'Désherbage',
    also: 'pilon, élimination, retirer du fonds',
    Icon: IconBasketX,
    rights: ['COPY_DELETE'],
    group: 'Catalogue',
    load: weeding('list'),
  },
  {
    path: '/weeding/cart',
    under: '/weeding',
    label: 'Panier du désherbage',
    also: 'pilon, scanner ce qui quitte le fonds',
    Icon: IconBasketX,
    rights: ['COPY_DELETE'],
    hasCamera: true,
    load: weeding('cart'),
  },
  {
    path: '/weeding/past',
    under: '/weeding',
    label: 'Désherbages faits',
    also: 'délibération, registre des sorties',
    Icon: IconBasketX,
    rights: ['COPY_DELETE'],
    load: weeding('past'),
  },
  {
    path: '/imports',
    label: 'Importer un fichier',
    also: 'unimarc, csv, tableur',
    Icon: IconFileImport,
    rights: importRightCodes,
    group: 'Catalogue',
    load: imports('list'),
  },
  {
    path: '/imports/add',
    under: '/imports',
    rights: importRightCodes,
    load: imports('add'),
  },
  {
    path: '/imports/view/:import_id',
    under: '/imports',
    rights: importRightCodes,
    load: imports('view'),
  },
  {
    path: '/loanings',
    label: 'Prêts',
    also: 'retards',
    Icon: IconBooks,
    Count: LateCount,
    rights: ['LIST_LOANINGS'],
    group: 'Suivi',
    load: () => import('../loans/loan-list-screen.tsx'),
  },
  {
    path: '/loanings/view/:loaning_id',
    under: '/loanings',
    isBeside: true,
    rights: ['LIST_LOANINGS'],
    load: () => import('../loans/loan-view-screen.tsx'),
  },
  {
    path: '/loanings/edit/:loaning_id',
    under: '/loanings',
    rights: ['LOANING_EDIT'],
    load: () => import('../loans/loan-edit-screen.tsx'),
  },
  {
    path: '/reservations',
    label: 'Réservations',
    also: 'file d’attente',
    Icon: IconClock,
    rights: ['LIST_RESERVATIONS'],
    group: 'Suivi',
    Count: PickingCount,
    load: reservations('list'),
  },
  {
    path: '/calendar',
    label: 'Calendrier',
    also: 'planning, semaines, disponibilité',
    Icon: IconCalendarWeek,
    rights: ['ACTIVITY_CALENDAR'],
    group: 'Suivi',
    hasCamera: true,
    load: () => import('../calendar/calendar-screen.tsx'),
  },
  {
    path: '/reservations/add',
    under: '/reservations',
    rights: ['RESERVATION_EDIT'],
    hasCamera: true,
    load: reservations('add'),
  },
  {
    path: '/reservations/edit/:reservation_id',
    under: '/reservations',
    rights: ['RESERVATION_EDIT'],
    load: reservations('edit'),
  },
  {
    path: '/reservations/set_aside',
    under: '/reservations',
    label: 'À retirer',
    also: 'réservations mises de côté, non retirées',
    Icon: IconClock,
    rights: ['LIST_RESERVATIONS'],
    load: reservations('setAside'),
  },
  {
    path: '/reservations/picking',
    under: '/reservations',
    label: 'À chercher en rayon',
    also: 'réservations à mettre de côté',
    Icon: IconClock,
    rights: ['RESERVATION_EDIT'],
    hasCamera: true,
    load: reservations('picking'),
  },
  {
    path: '/mails',
    label: 'Courriels',
    also: 'relances, envois',
    Icon: IconMail,
    rights: ['SEND_MAIL'],
    group: 'Suivi',
    load: mail('mails'),
  },
  {
    path: '/letters',
    label: 'Lettres',
    also: 'relances, papier',
    Icon: IconMailOpened,
    rights: ['BENEFICIARY_ADDRESS'],
    group: 'Suivi',
    load: mail('letters'),
  },
  {
    path: '/transfers',
    label: 'Transferts',
    also: 'navette, à recevoir',
    Icon: IconTruck,
    Count: ArrivalCount,
    rights: ['LIST_TRANSFERS'],
    group: 'Suivi',
    isForSeveralSites: true,
    hasCamera: true,
    load: () => import('../transfers/transfer-list-screen.tsx'),
  },
  {
    path: '/statistics',
    label: 'Statistiques',
    also: 'chiffres, rapport, bilan, activité',
    Icon: IconChartBar,
    rights: anyStatRight,
    group: 'Suivi',
    load: stats('menu'),
  },
  {
    path: '/statistics/activity',
    under: '/statistics',
    rights: statRights.activity,
    load: stats('activity'),
  },
  {
    path: '/statistics/references',
    under: '/statistics',
    rights: statRights.references,
    load: stats('references'),
  },
  {
    path: '/statistics/beneficiaries',
    under: '/statistics',
    rights: statRights.beneficiaries,
    load: stats('readers'),
  },
  {
    path: '/statistics/loanings',
    under: '/statistics',
    rights: statRights.loanings,
    load: stats('loans'),
  },
  {
    path: '/statistics/active',
    under: '/statistics',
    rights: statRights.active,
    load: stats('outNow'),
  },
  {
    path: '/statistics/yearly',
    under: '/statistics',
    rights: statRights.yearly,
    load: stats('yearly'),
  },
  {
    path: '/waiting',
    label: 'Actions en attente',
    Icon: IconCloudUpload,
    Count: WaitingCount,
    rights: ['LOANING_ADD', 'LOANING_RETURN'],
    group: 'Suivi',
    worksOffline: true,
    load: () => import('../waiting/waiting-screen.tsx'),
  },
  {
    path: '/sales',
    label: 'Ventes',
    Icon: IconCash,
    rights: ['LIST_SELL'],
    group: 'Argent',
    load: sales('list'),
  },
  {
    path: '/sales/view/:id',
    under: '/sales',
    isBeside: true,
    rights: ['LIST_SELL'],
    load: sales('view'),
  },
  {
    path: '/settings',
    label: 'Réglages',
    also: 'paramètres',
    Icon: IconSettings,
    group: 'Réglages',
    load: () => import('./settings-screen.tsx'),
  },
  {
    path: '/settings/global',
    under: '/settings',
    label: 'Paramètres généraux',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    load: () => import('../settings/parameters-screen.tsx'),
  },
  {
    path: '/settings/email_templates',
    under: '/settings',
    label: 'Modèles de courriel',
    section: 'Général',
    load: mail('templates'),
  },
  {
    path: '/settings/mail/:template',
    under: '/settings/email_templates',
    load: mail('template'),
  },
  {
    path: '/start',
    under: '/settings',
    label: 'Premiers pas',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    isWide: true,
    load: () => import('../start/start-screen.tsx'),
  },
  {
    path: '/users',
    under: '/settings',
    label: 'Utilisateurs',
    rights: ['LIST_USERS', 'USER_EDIT'],
    section: 'Général',
    isWide: true,
    load: users('users'),
  },
  {
    path: '/settings/permissions',
    under: '/settings',
    label: 'Profils et droits',
    rights: ['PARAMETER_LAW'],
    section: 'Général',
    load: users('permissions'),
  },
  {
    path: '/settings/devices',
    under: '/settings',
    label: 'Appareils',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    load: () => import('../devices/devices-screen.tsx'),
  },
  {
    path: '/settings/acts',
    under: '/settings',
    label: 'Actes',
    also: 'annuler',
    rights: actRights,
    section: 'Général',
    isWide: true,
    load: acts('list'),
  },
  {
    path: '/settings/acts/view/:act_id',
    under: '/settings/acts',
    isBeside: true,
    rights: actRights,
    load: acts('view'),
  },
  {
    path: '/settings/installation',
    under: '/settings',
    label: 'État de l’installation',
    also: 'diagnostic, serveur, sauvegarde',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    load: () => import('../installation/installation-screen.tsx'),
  },
  {
    path: '/settings/sessions',
    under: '/settings',
    label: 'Sessions',
    rights: ['USER_EDIT'],
    section: 'Général',
    load: () => import('../session/sessions-screen.tsx'),
  },
  {
    path: '/settings/image',
    under: '/settings',
    label: 'Image de l’organisation',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    load: () => import('../settings/image-screen.tsx'),
  },
  {
    path: '/settings/leaving',
    under: '/settings',
    label: 'Emporter les données',
    also: 'archive, export',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    load: () => import('../data-export/leaving-screen.tsx'),
  },
  {
    path: '/settings/personal_data',
    under: '/settings',
    label: 'Données personnelles',
    also: 'rgpd, oubli, effacer, registre, notice, cnil, confidentialité',
    rights: ['PARAMETER_GENERAL'],
    section: 'Général',
    load: personalData('overview'),
  },
  {
    path: '/settings/personal_data/inactive',
    under: '/settings/personal_data',
    rights: ['PARAMETER_GENERAL'],
    load: personalData('inactive'),
  },
  {
    path: '/settings/sites',
    under: '/settings',
    label: 'Sites',
    rights: ['PARAMETER_SITE'],
    section: 'Général',
    load: () => import('../settings/site-list-screen.tsx'),
  },
  {
    path: '/settings/translations',
    under: '/settings',
    label: 'Mots de l’organisation',
    also: 'vocabulaire, traductions, renommer',
    rights: ['PARAMETER_TRANSLATIONS'],
    section: 'Général',
    load: () => import('../settings/translation-list-screen.tsx'),
  },
  {
    path: '/settings/closures',
    under: '/settings',
    label: 'Jours d’ouverture',
    also: 'fermetures, jours fériés, congés, calendrier',
    rights: ['PARAMETER_SITE'],
    section: 'Général',
    load: () => import('../closures/closure-list-screen.tsx'),
  },
  {
    path: '/settings/sync',
    under: '/settings',
    label: 'Synchronisation',
    also: 'personnes, personnel, lecteurs',
    rights: ['PARAMETER_SYNCRONIZE'],
    section: 'Général',
    load: () => import('../sync/sync-screen.tsx'),
  },
  {
    path: '/settings/readers',
    under: '/settings',
    label: 'Contrats, statuts et dossiers',
    rights: ['PARAMETER_GENERAL'],
    section: 'Lecteurs',
    load: () => import('../beneficiaries/reader-values-screen.tsx'),
  },
  {
    path: '/settings/categories',
    under: '/settings',
    label: 'Catégories',
    rights: ['PARAMETER_CATEGORY'],
    section: 'Références',
    load: settingsLists('categories'),
  },
  {
    path: '/settings/keywords',
    under: '/settings',
    label: 'Mots-clés',
    rights: ['PARAMETER_KEYWORD'],
    section: 'Références',
    load: settingsLists('keywords'),
  },
  {
    path: '/settings/lists',
    under: '/settings',
    label: 'Listes',
    section: 'Références',
    load: words('listValues'),
  },
  {
    path: '/settings/lists/types',
    under: '/settings/lists',
    load: words('listTypes'),
  },
  {
    path: '/settings/fields',
    under: '/settings',
    label: 'Champs',
    section: 'Références',
    load: words('fields'),
  },
  {
    path: '/settings/supports',
    under: '/settings',
    label: 'Supports',
    rights: ['PARAMETER_MEDIUM'],
    section: 'Références',
    load: () => import('../catalogue/medium-list-screen.tsx'),
  },
  {
    path: '/settings/images_sources',
    under: '/settings',
    label: 'Sources d’images',
    rights: ['PARAMETER_IMAGES_SOURCES'],
    section: 'Références',
    load: () => import('../catalogue/image-source-screen.tsx'),
  },
  {
    path: '/settings/copies',
    under: '/settings',
    label: 'Exemplaires',
    rights: ['PARAMETER_COPIES'],
    section: 'Exemplaires',
    isWide: true,
    load: () => import('../catalogue/copy-list-screen.tsx'),
  },
  {
    path: '/settings/locations',
    under: '/settings',
    label: 'Emplacements',
    rights: ['PARAMETER_LOCATIONS'],
    section: 'Exemplaires',
    load: settingsLists('locations'),
  },
  {
    path: '/settings/label_sheets',
    under: '/settings',
    label: 'Planches d’étiquettes',
    rights: ['BARCODE_PRINT'],
    section: 'Exemplaires',
    load: settingsLists('label_sheets'),
  },
  {
    path: '/settings/label_printers',
    under: '/settings',
    label: 'Imprimantes d’étiquettes',
    rights: ['BARCODE_PRINT'],
    section: 'Exemplaires',
    load: settingsLists('label_printers'),
  },
  {
    path: '/settings/delay',
    under: '/settings',
    label: 'Motifs de retard',
    rights: ['PARAMETER_DELAY'],
    section: 'Prêts',
    load: settingsLists('delay'),
  },
  {
    path: '/settings/free',
    under: '/settings',
    label: 'Motifs de gratuité',
    rights: ['PARAMETER_FREE'],
    section: 'Prêts',
    load: settingsLists('free'),
  },
  {
    path: '/account',
    label: 'Mon compte',
    Icon: IconUserCircle,
    also: 'mot de passe, préférences, thème, installation',
    worksOffline: true,
    load: () => import('../account/account-screen.tsx'),
  },
]

export const mayOpen = ({ rights }: Pick<Screen, 'rights'>, held: readonly Right[]): boolean =>
  rights === undefined || rights.some((right) => held.includes(right))

export type MenuPlace = Extract<Screen, Led>
type Setting = Extract<Screen, { section: Section }>
export type Named = Extract<Screen, { label: string }>

const isPlace = (screen: Screen): screen is MenuPlace => 'group' in screen
export const isSetting = (screen: Screen): screen is Setting => 'section' in screen

/** Where the menus lead. */
export const openPlaces = (held: readonly Right[], isMultisite: boolean): MenuPlace[] =>
  screens.filter(isPlace).filter((screen) => mayOpen(screen, held) && isWanted(screen, isMultisite))

const isWanted = ({ isForSeveralSites }: Pick<Screen, 'isForSeveralSites'>, isMultisite: boolean) =>
  isMultisite || isForSeveralSites === undefined

/** What stands in the settings. */
export const openSettings = (held: readonly Right[]): Setting[] =>
  screens.filter(isSetting).filter((screen) => mayOpen(screen, held))

/** Every screen that has a name, whose words answer to what was typed. */
export const findScreens = (held: readonly Right[], isMultisite: boolean, typed: string): Named[] =>
  screens
    .filter((screen): screen is Named => screen.label !== undefined)
    .filter((screen) => isWanted(screen, isMultisite))
    .filter((screen) => mayOpen(screen, held) && hasEveryWord(searchWordsOf(screen), typed))

const searchWordsOf = (screen: Named): string =>
  [screen.label, inWords(screen.label), wherein(screen), 'also' in screen ? screen.also : ''].join(' ')

/** The screens that one stands under, as far as the person may open them. */
export const trailOf = (screen: Screen, held: readonly Right[]): Trail =>
  screens.flatMap((one) =>
    one.path === screen.under && one.label !== undefined && mayOpen(one, held)
      ? [{ label: one.label, path: one.path }]
      : [],
  )

/** Under what a screen stands in the menus: « Comptoir », « Réglages › Prêts ». */
export const wherein = (screen: Named): string =>
  isPlace(screen) ? inWords(screen.group) : isSetting(screen) ? inWords(`Réglages › ${screen.section}`) : ''
