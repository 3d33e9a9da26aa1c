import type { OpenSession } from '../../contract/sessions.ts'

/** What a session is opened on, as people call it. */
export const placeOf = ({ device_name, browser }: Pick<OpenSession, 'device_name' | 'browser'>): string =>
  device_name ?? (browser || 'Appareil inconnu')

/** The question before a session is ended; what it sealed waits for its owner. */
export const endQuestion = {
  message:
    'L’appareil sera déconnecté à son prochain contact avec le serveur. Ce qui y attend devra être confirmé par la personne.',
  acts: 'destroys',
} as const
