import type { Import, ImportCounts, OpenedFile, Policy } from '../../contract/imports.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'

export const addressOfImport = ({ id }: Pick<Import, 'id'>): string => `/imports/view/${id}`

/** How far an import is, as a state. */
export function importState({ status, problem }: Pick<Import, 'status' | 'problem'>): {
  tone: Tone
  words: string
} {
  if (problem !== null) return { tone: 'bad', words: 'Non effectué' }
  return states[status]
}

const states: Record<Import['status'], { tone: Tone; words: string }> = {
  read: { tone: 'wait', words: 'À essayer' },
  checking: { tone: 'wait', words: 'Essai en cours' },
  checked: { tone: 'wait', words: 'Essayé, à importer' },
  running: { tone: 'wait', words: 'Import en cours' },
  done: { tone: 'good', words: 'Importé' },
}

export const isMoving = ({ status }: Pick<Import, 'status'>): boolean =>
  status === 'checking' || status === 'running'

export const rowsWords = (rows: number): string => counted(rows, 'ligne', 'lignes', 'Aucune ligne')

/** What an import does, or would do, as far as it does anything. */
export const countsWords = ({ added, changed, unchanged, refused }: ImportCounts): string =>
  [
    [added, 'ajoutée', 'ajoutées'],
    [changed, 'modifiée', 'modifiées'],
    [unchanged, 'inchangée', 'inchangées'],
    [refused, 'refusée', 'refusées'],
  ]
    .flatMap(([count, one, many]) => (count === 0 ? [] : [counted(Number(count), String(one), String(many))]))
    .join(', ')

export const kindWords: Record<OpenedFile['kind'], string> = {
  csv: 'Texte à séparateurs (CSV)',
  xlsx: 'Classeur Excel (xlsx)',
  ods: 'Classeur OpenDocument (ods)',
  iso2709: 'Notices UNIMARC (ISO 2709)',
  marcxml: 'Notices UNIMARC (XML)',
}

const charsetNames: Record<string, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac Roman',
  'iso-5426': 'ISO 5426',
  cp850: 'DOS (cp850)',
  cp437: 'DOS (cp437)',
}
export const charsetName = (charset: string): string => charsetNames[charset] ?? charset.toUpperCase()

export const howFound: Record<NonNullable<OpenedFile['charset']>['how'], string> = {
  mark: 'le fichier porte leur marque',
  valid: 'ses octets s’y lisent\u202f; une ligne où ils ne s’y lisent pas est refusée',
  bytes: 'ce sont les plus vraisemblables, à en juger par les octets',
  plain: 'le fichier n’a pas d’accents, tous se valent',
  chosen: 'vous les avez choisis',
}

export const delimiterWords = {
  ';': 'Point-virgule',
  ',': 'Virgule',
  '\t': 'Tabulation',
  '|': 'Barre verticale',
} as const

export const policyWords: Record<Policy, string> = {
  fill: 'Remplir si vide',
  overwrite: 'Remplacer',
  keep: 'Garder',
}
