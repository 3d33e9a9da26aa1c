import { commonWords, leakedPasswords } from './common-passwords.ts'

const shortest = 10

const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
]
const steps = new Set(
  rows.flatMap((row) =>
    Array.from(row)
      .slice(1)
      .flatMap((letter, index) => [`${row[index]}${letter}`, `${letter}${row[index]}`]),
  ),
)

/** The French sentence that refuses a password, or null: only its length and its rank among guesses count. */
export function faultOfPassword(password: string, username: string): string | null {
  const text = password.normalize('NFC').toLowerCase()
  if (Array.from(text).length < shortest)
    return `Le mot de passe doit compter au moins ${shortest} caractères.`
  if (isCommon(text)) return 'Ce mot de passe est trop courant\u202f: choisissez-en un autre.'
  if (isPattern(text)) {
    return 'Ce mot de passe est une suite ou une répétition facile à deviner\u202f: choisissez-en un autre.'
  }
  const name = username.normalize('NFC').toLowerCase()
  if (name && text.includes(name) && text.replaceAll(name, '').length < 8) {
    return 'Le mot de passe ne doit pas reprendre le nom d’utilisateur.'
  }
  return null
}

function isCommon(text: string): boolean {
  const plain = text.normalize('NFD').replaceAll(/\p{Mn}/gu, '')
  return [plain, undisguised(plain)].some((form) => {
    const core = form.replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
    const letters = form.replaceAll(/[^a-z]/g, '')
    if ([form, core, undisguised(core), letters].some((word) => commonWords.has(word))) return true
    const inside = form.replaceAll(/^[^a-z\d]+|[^a-z\d]+$/g, '')
    const begun = inside.replace(/(?:(?:19|20)\d\d|1234?5?6?7?8?9?0?)$/, '')
    if ([form, inside, begun, undisguised(begun)].some((word) => leakedPasswords.has(word))) return true
    // A long number holds common short words by chance.
    if (letters.length * 2 >= text.length && leakedPasswords.has(letters)) return true
    return core.length >= 4 && (leakedPasswords.has(core) || leakedPasswords.has(undisguised(core)))
  })
}

const undisguised = (text: string) => text.replaceAll(/[013457@$!]/g, (sign) => disguises[sign] ?? sign)

function isPattern(text: string): boolean {
  const letters = Array.from(text)
  if (new Set(letters).size < 4) return true
  // A text made of one repeated piece is found in itself doubled, before its end.
  if (`${text}${text}`.indexOf(text, 1) < text.length) return true
  const stepped = letters
    .slice(1)
    .filter((letter, index) => letter === letters[index] || steps.has(`${letters[index]}${letter}`))
  return stepped.length >= (letters.length - 1) * 0.75
}
