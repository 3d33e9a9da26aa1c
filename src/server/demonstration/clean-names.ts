// The catalogue of Toulouse is ISBD throughout, which an import could not know of a table. Reads its signs: « : » before a subtitle, « / » before makers, « [ ] » around cataloguers' notes.

export type Title = {
  name: string
  subhead: string | null
  volume: string | null
  person_in_charge: string | null
}

/** Two lines of a telephone. */
const longestWholeName = 60

const mediumNote =
  /\[+\s*(?:texte|enregistrement sonore|ressource électronique|multim[ée]dia|images? anim|microsillon)[^\]]*(?:\]+|$)/gi
const note = /\[([^\]]*[^\]\d][^\]]*)\]/g

/** The title on a line, with its subtitle while it stays short, and what was taken away. */
export function splitTitle(text: string): Title {
  const [statement = '', ...makers] = tidy(text).split(/ ?\/ | \//)
  const notes: string[] = []
  let title = statement
    .replace(mediumNote, ' ')
    .replace(/\.*\s*\[etc\.?[\])]/gi, '…')
    .replace(/ (de|du|par) \[([^\]]+)\]/g, ' $1 $2')
    // A place and a year tell periodicals of one name apart: « Notre temps(Paris. 1968) ».
    .replace(/\s*\([^()]*\. \d{4}\)/g, '')
  const withoutNotes = title.replace(note, ' ')
  if (/[\p{L}\d]/u.test(withoutNotes)) {
    for (const [, words = ''] of title.matchAll(note)) notes.push(tidy(words))
    title = withoutNotes
  }
  title = trimSigns(tidy(title))
  const volume = /\. (\d{1,3})$/.exec(title)?.[1] ?? null
  const [proper = '', ...rest] = (volume ? title.slice(0, -volume.length - 2) : title).split(/ ?: /)
  const isShort = title.length <= longestWholeName || rest.length === 0
  const subhead = isShort ? '' : trimSigns(rest.join(' : '))
  const credits =
    makers.length > 0 ? makers.join(' / ') : notes.filter((words) => words.includes(' ')).join(' ; ')
  return {
    name: isShort ? title : trimSigns(proper) + (volume ? `. ${volume}` : ''),
    subhead: subhead || null,
    volume,
    person_in_charge: trimSigns(credits) || null,
  }
}

const dates = /\s*\((?:[^()]*\d{3}[^()]*|[\s.?-]+)\)$/
// A letter after another is an initial: « Bach, J. S. ».
const role =
  /(?:(?<=\p{L}{2})\. (?:p|s|t)|\. (?:chant|voix|trp|trb|tb|saxo|cb|guit|vlc|vl|clar|comp|dir|org|acrdn|oud|batt|perc|fl|htb|ms|ct|synth|claviers))(?![\p{L}'’-]).*$/iu

/** `Chamayou, Bertrand` without dates of life or an instrument. */
export function authorName(text: string): string {
  const name = tidy(text).replace(dates, '')
  const player = name.replace(role, '')
  return trimSigns(player === '' ? name : player)
}

/** « Actes Sud » from « Arles (Bouches-du-Rhône) : Actes Sud, 2022 »; of several publishers, the first. */
export function publisherName(text: string): string {
  const parts = tidy(text).split(/ ?: /)
  const publisher = parts[1] ?? parts[0] ?? ''
  const undated = publisher.replace(/[\s,;]+\[?(?:(?:cop|impr|ca|dl|c|p|©)\.?\s*)?\d{4}(?!\d).*$/i, '')
  return trimSigns(tidy(undated.replace(/\[[^\]]*\]/g, ' ')))
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()

const trimSigns = (text: string) => text.replace(/^[\s:;,/]+|[\s:;,/]+$/g, '')
