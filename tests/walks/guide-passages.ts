import { readdirSync, readFileSync } from 'node:fs'

export const guideFolder = 'docs/guide'

/** What is read on one screen: how to come there, the names that the text quotes, the pictures under it. */
export type Passage = {
  chapter: string
  address: string
  hands: string[]
  names: string[]
  pictures: string[]
}

/** Chapters in the order of their table. */
export const chapters = (): string[] =>
  Array.from(read('README.md').matchAll(/\]\(([\w-]+\.md)\)/g), ([, file = '']) => file)

export const filesOfGuide = (): string[] => readdirSync(guideFolder).filter((name) => name.endsWith('.md'))

export const picturesKept = (): string[] => readdirSync(`${guideFolder}/pictures`)

const read = (file: string): string => readFileSync(`${guideFolder}/${file}`, 'utf8')

// A passage begins with its screen and what hands do there: <!-- /users | Ajouter un utilisateur -->.
const beginning = /<!--(.*?)-->/

export function passagesOf(chapter: string): Passage[] {
  const [before = '', ...parts] = read(chapter).split(beginning)
  if (namesIn(before).length > 0) throw new Error(`${chapter} quotes names before it says of which screen`)
  const passages: Passage[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const [address = '', ...hands] = (parts[at] ?? '').split('|').map((part) => part.trim())
    const text = parts[at + 1] ?? ''
    const pictures = Array.from(text.matchAll(/\]\(pictures\/([\w-]+\.png)\)/g), ([, name = '']) => name)
    passages.push({ chapter, address, hands, names: namesIn(text), pictures })
  }
  return passages
}

const namesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/«\s*([^»]+?)\s*»/g), ([, name = '']) => name)),
]
