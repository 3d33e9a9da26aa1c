import type { OpenSession } from '../../contract/sessions.ts'

export const placeOf = ({ device_name, browser }: Pick<OpenSession, 'device_name' | 'browser'>): string =>
  device_name ?? (browser || 'Appareil inconnu')

/** Actions it sealed then wait for their owner. */
export const endQuestion = {
  message:
    'L’appareil sera déconnecté à son prochain contact avec le serveur. Ce qui y attend devra être confirmé par la personne.',
  acts: 'destroys',
} as const
