/** What a field accepts. */
type FileKind = 'image' | 'picture' | 'cover' | 'pdf' | 'catalogue' | 'any'

const documents = 'doc docx dot dotx xls xlsx ppt pptx odt odtx pdf csv txt'.split(' ')
const pictures = ['png', 'jpg', 'jpeg', 'bmp']
const images = [...pictures, 'webp', 'gif', 'avif', 'svg', 'tif', 'tiff']

export const fileExtensions: Record<FileKind, readonly string[]> = {
  image: images,
  picture: pictures,
  cover: [...pictures, 'webp'],
  pdf: ['pdf'],
  /** What libraries give their catalogue in; the server judges it by its bytes. */
  catalogue: 'csv tsv txt xlsx ods mrc iso unimarc xml'.split(' '),
  any: [...images, ...documents],
}

/** Pixels; a ratio is width divided by height. */
type Bounds = { min?: number; max?: number }
export type UploadRules = {
  kind: FileKind
  mostInAll?: number
  ratio?: Bounds
  width?: Bounds
  height?: Bounds
}

/** Bytes: « 16Mo » are 16,000,000. */
export const largestFile = 16_000_000

type FileFacts = { name: string; size: number; type: string }
export type ImageSize = { width: number; height: number }

/** Null when the file may be sent; `chosen` are the files already there. */
export function fileProblem(
  file: FileFacts,
  { kind, mostInAll = largestFile }: UploadRules,
  chosen: readonly FileFacts[],
): string | null {
  const said = (fragment: string) => `«\u00a0${shortFileName(file.name)}\u00a0» ${fragment}`
  if (chosen.some(({ name, type }) => name === file.name && type === file.type))
    return said('est déjà importé.')
  if (!fileExtensions[kind].includes(extensionOf(file.name))) return said(invalidFile)
  if (file.size > largestFile) return said(fileTooLarge)
  const inAll = chosen.reduce((sum, { size }) => sum + size, file.size)
  if (inAll > mostInAll) {
    return said(
      `est trop volumineux, la taille totale ne doit pas excéder ${Math.floor(mostInAll / 1_000_000)}Mo.`,
    )
  }
  return null
}

export const invalidFile = 'est invalide ou non pris en charge.'
export const fileTooLarge = ': la taille maximale ne doit pas excéder 16Mo.'

export function imageProblem(
  name: string,
  { width, height }: ImageSize,
  rules: Pick<UploadRules, 'ratio' | 'width' | 'height'>,
): string | null {
  const ratio = width / height
  const measures = [
    ['le rapport entre largeur et hauteur', rules.ratio, ratio, ''],
    ['la largeur', rules.width, width, '\u00a0px'],
    ['la hauteur', rules.height, height, '\u00a0px'],
  ] as const
  for (const [what, bounds = {}, actual, unit] of measures) {
    const { min, max } = bounds
    const isWithin = (min === undefined || actual >= min) && (max === undefined || actual <= max)
    if (isWithin) continue
    const allowed = [
      min === undefined ? '' : `au moins ${frenchNumber(min)}${unit}`,
      max === undefined ? '' : `au plus ${frenchNumber(max)}${unit}`,
    ]
    return `«\u00a0${shortFileName(name)}\u00a0»\u202f: ${what} doit être ${allowed.filter(Boolean).join(' et ')} (ici ${frenchNumber(actual)}${unit}).`
  }
  return null
}

const frenchNumber = (value: number) => value.toLocaleString('fr-FR', { maximumFractionDigits: 2 })

export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Beyond 25 characters: the first 20, `[...]`, then the extension. */
export function shortFileName(name: string): string {
  const characters = Array.from(name)
  if (characters.length <= 25) return name
  const extension = extensionOf(name)
  return `${characters.slice(0, 20).join('')}[...]${extension === '' ? '' : `.${extension}`}`
}

export function uploadHelp({ kind, mostInAll = largestFile, ratio, width, height }: UploadRules): string[] {
  const between = (what: string, { min, max }: Bounds, unit: string) =>
    `${what}\u202f: ${[min === undefined ? '' : `${frenchNumber(min)}${unit} au moins`, max === undefined ? '' : `${frenchNumber(max)}${unit} au plus`].filter(Boolean).join(', ')}.`
  return [
    `Types\u202f: ${fileExtensions[kind].join(', ')}.`,
    `Taille\u202f: ${largestFile / 1_000_000}\u00a0Mo au plus par fichier, ${Math.floor(mostInAll / 1_000_000)}\u00a0Mo en tout.`,
    ...(width ? [between('Largeur', width, '\u00a0px')] : []),
    ...(height ? [between('Hauteur', height, '\u00a0px')] : []),
    ...(ratio ? [between('Largeur divisée par hauteur', ratio, '')] : []),
  ]
}
