import { counted } from '../ui/words.ts'

/** Where the library counts open days alone, which the days of lateness that are told are not. */
export const openDaysCounted = (days: number): string =>
  counted(days, 'jour d’ouverture compté', 'jours d’ouverture comptés')
