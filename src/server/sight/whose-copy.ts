import type { CodedCopy } from '../db/held-codes.ts'
import { isSiteOpen, type Sight } from './sight.ts'

/** « d’un exemplaire de … », without its title where its site is closed to the person. */
export const whoseCopy = (sight: Sight, { name, site }: CodedCopy): string =>
  isSiteOpen(sight, site) ? `d’un exemplaire de «\u00a0${name}\u00a0»` : 'd’un exemplaire d’un autre site'
