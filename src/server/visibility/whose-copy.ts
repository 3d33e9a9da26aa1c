import type { CodedCopy } from '../library-facts/held-codes.ts'
import { isSiteOpen, type Visibility } from './visibility.ts'

/** « d’un exemplaire de … », without its title where its site is closed to the person. */
export const whoseCopy = (visibility: Visibility, { name, site }: CodedCopy): string =>
  isSiteOpen(visibility, site)
    ? `d’un exemplaire de «\u00a0${name}\u00a0»`
    : 'd’un exemplaire d’un autre site'
