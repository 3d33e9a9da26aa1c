import { ago } from '../ui/words.ts'

/** The age of the device's data after « d’ »: « il y a 2 h », « avant-hier ». */
export const ageAfterDe = (instant: string | null, now?: number): string =>
  instant === null ? 'un âge inconnu' : ago(instant, now).replace('à l’instant', 'il y a un instant')
