/** The kinds of coded fields of a reference. */
export const listGroups = ['author', 'editor', 'list'] as const
export type ListGroup = (typeof listGroups)[number]

export const listGroupWords: Record<ListGroup, string> = {
  author: 'Auteurs',
  editor: 'Éditeurs',
  list: 'Listes',
}

/** « Auteur : Sand, George ; Illustrateur : Doré, Gustave ». */
export const codedWords = (coded: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(coded)
    .map(([type, names]) => `${type}\u202f: ${names.join(', ')}`)
    .join('\u202f; ')

/** From more links than these on, changing a type is warned of. */
export const linksWithoutWarning = 50

const between = ' > '

/** « Roman > Policier > Nordique » is chosen level by level. */
export const levelsOf = (name: string): string[] => name.split(between)
export const ofLevels = (levels: readonly string[]): string => levels.join(between)
export const hasLevels = (name: string): boolean => name.includes(between)
