import { calibrationLine, type SheetKind } from '../domain/label-sheets.ts'
import { noun } from '../domain/noun.ts'
import { described } from './described.ts'
import { choice, length, optional, stamped, text, wholeNumber } from './field-kinds.ts'
import type { ItemOf } from './resource.ts'

const sheetKindWords = {
  sheet: 'Feuille A4',
  roll_203: 'Rouleau, 203 points par pouce',
  roll_300: 'Rouleau, 300 points par pouce',
} as const satisfies Record<SheetKind, string>

/** A roll has one label after the other. */
const when = ['kind', ['sheet']] as const

/** Sheets and rolls of one's own; those of known makers need no description. */
export const labelSheets = described('label_sheets', 'LabelSheet', {
  noun: noun('planche', 'f'),
  title: 'Planches d’étiquettes',
  purpose:
    'Les planches Avery, et les rouleaux DYMO et Brother, sont déjà connus\u202f: décrivez ici les autres, mesurées à la règle.',
  example: 'Étiquettes de cote, 80 par feuille',
  changedBy: 'BARCODE_PRINT',
  fields: {
    name: text('Nom', 100, { archived: { about: 'Son nom.' } }),
    kind: choice('Imprimée sur', sheetKindWords, {
      archived: {
        title: 'Genre',
        about: 'sheet (feuille A4), roll_203 ou roll_300 (rouleau, en points par pouce).',
      },
    }),
    label_width: length('Largeur d’une étiquette', 100, 2100, {
      archived: { title: 'Largeur', about: 'D’une étiquette.' },
    }),
    label_height: length('Hauteur d’une étiquette', 80, 2970, {
      archived: { title: 'Hauteur', about: 'D’une étiquette.' },
    }),
    margin_left: optional(
      length('Marge de gauche', 0, 1000, {
        when,
        hint: 'Du bord gauche de la feuille à la première.',
        archived: { title: 'Marge gauche', about: 'Jusqu’à la première étiquette.' },
      }),
    ),
    margin_top: optional(
      length('Marge du haut', 0, 1000, {
        when,
        hint: 'Du bord haut de la feuille à la première.',
        archived: { title: 'Marge haute', about: 'Jusqu’à la première étiquette.' },
      }),
    ),
    pitch_x: optional(
      length('Pas horizontal', 0, 2100, {
        when,
        hint: 'D’un bord gauche au suivant\u202f; 0 si elles se touchent.',
        archived: { about: 'D’une étiquette à la suivante\u202f; 0\u202f: elles se touchent.' },
      }),
    ),
    pitch_y: optional(
      length('Pas vertical', 0, 2970, {
        when,
        hint: 'D’un bord haut au suivant\u202f; 0 si elles se touchent.',
        archived: { about: 'D’une étiquette à la suivante\u202f; 0\u202f: elles se touchent.' },
      }),
    ),
    columns: optional(wholeNumber('Colonnes', 1, 20, { when, archived: { about: 'Combien il y en a.' } })),
    rows: optional(wholeNumber('Lignes', 1, 40, { when, archived: { about: 'Combien il y en a.' } })),
    date_update: stamped('Modifiée le'),
  },
  archive: {
    file: 'planches-etiquettes.csv',
    about: 'Les planches et rouleaux d’étiquettes que la bibliothèque a mesurés, en dixièmes de millimètre.',
  },
  help: [
    'Les planches Avery, et les rouleaux DYMO et Brother, sont déjà connus\u202f: ne décrivez ici que les autres.',
    'Mesurez à la règle la marge, la taille d’une étiquette et le pas d’une étiquette à la suivante.',
  ],
})
export type LabelSheetItem = ItemOf<typeof labelSheets>

/** Where each prints the calibration sheet's lines, kept for everyone who prints with it. */
export const labelPrinters = described('label_printers', 'LabelPrinter', {
  noun: noun('imprimante', 'f'),
  title: 'Imprimantes d’étiquettes',
  purpose: `La feuille de réglage s’imprime depuis «\u00a0Imprimer des étiquettes\u00a0»\u202f: mesurez-y ses deux traits, attendus à ${calibrationLine} mm des bords, et les étiquettes seront décalées d’autant.`,
  example: 'Laser du bureau',
  changedBy: 'BARCODE_PRINT',
  fields: {
    name: text('Nom', 100, { archived: { about: 'Son nom.' } }),
    measured_left: length('Mesuré à gauche', 0, 300, {
      hint: `Du bord gauche au trait vertical\u202f: ${calibrationLine} si tout est à sa place.`,
      archived: { title: 'Trait vertical', about: 'Depuis le bord gauche, en dixièmes de millimètre.' },
    }),
    measured_top: length('Mesuré en haut', 0, 300, {
      hint: `Du bord haut au trait horizontal\u202f: ${calibrationLine} si tout est à sa place.`,
      archived: { title: 'Trait horizontal', about: 'Depuis le bord haut, en dixièmes de millimètre.' },
    }),
    date_update: stamped('Modifiée le'),
  },
  archive: {
    file: 'imprimantes-etiquettes.csv',
    about: 'Les imprimantes d’étiquettes, et où elles impriment les traits de la feuille de réglage.',
  },
  help: [
    'Le décalage propre à chaque imprimante, pour que les étiquettes tombent juste.',
    'Imprimez la «\u00a0Feuille de réglage\u00a0» depuis «\u00a0Imprimer des étiquettes\u00a0», mesurez ses deux traits, attendus à 10 mm des bords, et écrivez les mesures ici.',
  ],
})
