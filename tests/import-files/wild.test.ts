import { readFile } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { allRows, inShort, openBytes, refusalOf } from './make-files.ts'

// Small files after faults that users of such software report; nobody in them is real.
const open = async (name: string) => openBytes(await readFile(new URL(`wild/${name}`, import.meta.url)))

describe('files as libraries have them', () => {
  it.each([
    [
      '01-lecteurs-cp850.csv',
      { charset: { name: 'cp850', how: 'bytes' } },
      [
        "2: W8501 | Lefèvre | Zoé | 12 rue de l'Église | Orléans",
        '3: W8502 | Garçon | Joël | 3 allée des Chênes | Pézenas',
        '4: W8503 | Noël | Françoise | 8 quai du Maître | Hérouville',
      ],
    ],
    [
      '06-guillemet-isole.csv',
      { delimiter: ';' },
      [
        '2: WG01 | Doré | Jean | chez "Mimi", 2 rue A',
        '3! La ligne a un guillemet de trop : il s’ouvre au début d’une cellule, et ne se referme que plus bas, au milieu d’un texte.',
        '4: WG03 | Blanc | Zia | 4 rue B',
        '5: WG04 | Vert | Ali | 6 rue C',
      ],
    ],
    [
      '07-adresse-sur-deux-lignes.csv',
      { delimiter: ';' },
      [
        '2: WL01 | Petit | Ana | Bât. B\n12 rue des Lilas | Tours',
        '3: WL02 | Grand | Léo | 5 rue Haute | Blois',
      ],
    ],
    [
      '08-separateur-barre.csv',
      { delimiter: '|' },
      ['2: WP01 | Sable | Inès | Niort', '3: WP02 | Marais | Tom | Saintes'],
    ],
    [
      '31-titre-en-erreur.xlsx',
      { kind: 'xlsx' },
      [
        '2: #NAME? | W31000001',
        '3: VRAI | W31000002',
        '4: 1984 | W31000003',
        '5: 2012-04-01 | W31000004',
        '6: Bon titre | W31000005',
      ],
    ],
    [
      '32-dates-1904.xlsx',
      { kind: 'xlsx' },
      ['2: WX01 | Mac | Ana | 2027-02-01 | 06 12 34 56 78', '3: WX02 | Mac | Bob | 2027-02-01 | 612345678'],
    ],
  ])('reads %s as it is', async (name, is, rows) => {
    const file = await open(name)
    expect(file).toMatchObject(is)
    expect(inShort(await allRows(file))).toEqual(rows)
  })

  it('reads 16-unimarc-jeux-melanges.mrc in the charset of most of its notices', async () => {
    const file = await open('16-unimarc-jeux-melanges.mrc')
    expect(file.charset).toMatchObject({ name: 'utf-8', how: 'valid' })
    const rows = await allRows(file)
    expect(rows.filter(({ type }) => type === 'notice')).toHaveLength(8)
    expect(inShort(rows.filter(({ type }) => type === 'damaged'))).toEqual([
      expect.stringContaining('a des signes qui ne sont pas lisibles'),
      expect.stringContaining('a des signes qui ne sont pas lisibles'),
    ])
  })

  it('says which export to ask PMB for', async () => {
    expect(await refusalOf(open('35-pmb-xml-unimarc.xml'))).toBe(
      'Ce fichier est au format XML propre à PMB : demandez à PMB un export « UNIMARC ISO 2709 », et importez celui-là.',
    )
  })
})
