import type { Device } from '../../contract/devices.ts'
import { shortAge } from '../../offline/age.ts'
import type { Tone } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'

/** It may be put away, broken, or under a new identity since its storage was cleared. */
const lostMs = 30 * 24 * 3600_000

export const deviceName = ({ name, device_id }: Pick<Device, 'name' | 'device_id'>): string =>
  name || `Appareil ${device_id.slice(0, 8)}`

const heldBy = ({ waiting, conflicts, quarantined }: Device): number => waiting + conflicts + quarantined

const isLost = ({ last_seen }: Device, now: number): boolean => now - Date.parse(last_seen) > lostMs

export function deviceState(device: Device, now: number): { tone: Tone; word: string } {
  const { attention, waiting, reported_at } = device
  const refused = device.conflicts + device.quarantined
  const tone = attention === 'bad' ? 'bad' : 'warn'
  if (isLost(device, now)) {
    return { tone: heldBy(device) > 0 ? tone : 'quiet', word: 'Jamais revu' }
  }
  if (refused > 0) return { tone: 'bad', word: counted(refused, 'action à régler', 'actions à régler') }
  if (attention !== 'none') return { tone, word: 'Actions anciennes' }
  if (reported_at === null) return { tone: 'quiet', word: 'Contenu inconnu' }
  return waiting > 0 ? { tone: 'wait', word: 'À envoyer' } : { tone: 'good', word: 'Rien n’attend' }
}

/** Null when there is nothing to say. */
export function stateDetail(device: Device, now: number): string | null {
  const held = heldWords(device, now)
  if (!isLost(device, now)) return held
  const since = `depuis le ${frenchInstant(device.last_seen).split(' ')[0] ?? ''}`
  return held === null ? since : `${since}, avec ${held}`
}

/** « 3 actions, depuis 5 h ». */
function heldWords(device: Device, now: number): string | null {
  const held = heldBy(device)
  if (held === 0) return null
  const since = device.oldest_at === null ? '' : `, depuis ${shortAge(now - Date.parse(device.oldest_at))}`
  return `${counted(held, 'action', 'actions')}${since}`
}
