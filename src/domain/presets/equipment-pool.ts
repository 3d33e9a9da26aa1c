import { atTheCounter, medium, type Preset } from './preset.ts'

const deposit = 'Chèque de caution remis, état et accessoires vérifiés au départ et au retour.'

/** Equipment is booked for days that are known, and each day late costs whoever comes next. */
export const equipmentPool: Preset = {
  title: 'Parc de matériel',
  about: 'Outils, sonorisation, tentes et tables, réservés pour des dates et rendus vérifiés.',
  media: [
    medium(['Outillage', 'OUT'], [7, 'jour'], { most: 3, late: 0, penalty: ['2.00', 'jour'] }),
    medium(['Outillage motorisé', 'MOT'], [2, 'jour'], {
      most: 2,
      late: 0,
      penalty: ['10.00', 'jour'],
      conditions: deposit,
    }),
    medium(['Son et lumière', 'SON'], [3, 'jour'], {
      most: 4,
      late: 0,
      penalty: ['10.00', 'jour'],
      conditions: deposit,
    }),
    medium(['Image et projection', 'IMG'], [3, 'jour'], {
      most: 2,
      late: 0,
      penalty: ['10.00', 'jour'],
      conditions: deposit,
    }),
    medium(['Informatique', 'INF'], [2, 'semaine'], {
      most: 2,
      late: 0,
      penalty: ['5.00', 'jour'],
      conditions: deposit,
    }),
    medium(['Tables, bancs et chaises', 'MOB'], [1, 'cycle'], { most: null, late: 0 }),
    medium(['Tente et barnum', 'TEN'], [1, 'cycle'], {
      most: 4,
      late: 0,
      penalty: ['20.00', 'jour'],
      conditions: deposit,
    }),
  ],
  categories: [
    'Outillage à main',
    'Outillage électroportatif',
    'Jardin et espaces verts',
    'Sonorisation',
    'Éclairage',
    'Vidéo et projection',
    'Ordinateurs et tablettes',
    'Mobilier',
    'Tentes et barnums',
    'Vaisselle et cuisine',
    'Sport',
    'Signalisation et sécurité',
  ],
  delay_reasons: [
    'Panne ou casse signalée',
    'Accessoire manquant',
    'Manifestation prolongée',
    'Intempéries',
    'Transport indisponible',
  ],
  free_reasons: ['Service de la collectivité', 'Association conventionnée', 'Matériel rendu défectueux'],
  contracts: ['Service', 'Association', 'École', 'Particulier'],
  profiles: [
    {
      name: 'Magasinier',
      about: 'Le comptoir, l’état et l’entrée du matériel, l’inventaire.',
      rights: atTheCounter(
        'BENEFICIARY_CONTACT',
        'LOANING_EDIT',
        'COPY_CREATEREF',
        'COPY_CREATECOPY',
        'COPY_MODIFY',
        'COPY_TRANSFER',
        'BARCODE_PRINT',
        'INVENTORY',
      ),
    },
  ],
  parameters: [
    { code: 'reservations_without_dates', value: '0' },
    { code: 'enable_reservations_amount', value: '1' },
    { code: 'multiple_reservations', value: '1' },
    { code: 'calendar_week_day', value: '1' },
  ],
}
