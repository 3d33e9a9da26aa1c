import { type HouseWord, inHouseWords } from '../../domain/house-words.ts'
import { keptWords, speak } from './house-words.ts'

let said = '[]'

/** Says labels with these words from now on, and once this device opens the next page, be it off line. */
export function sayWith(words: readonly HouseWord[]): void {
  const written = JSON.stringify(words)
  if (written === said) return
  said = written
  speak(inHouseWords(words))
  try {
    if (words.length === 0) localStorage.removeItem(keptWords)
    else localStorage.setItem(keptWords, written)
  } catch {
    // Storage is full or forbidden: the words last until the page is closed.
  }
}

export function sayAsKept(): void {
  try {
    sayWith(JSON.parse(localStorage.getItem(keptWords) ?? '[]') as HouseWord[])
  } catch {
    // Not ours: the server tells the words again.
  }
}
