import { posix } from 'node:path'

/** Of the relative links of a document at `path`, those whose file is not there. */
export const leadsNowhere = (path: string, text: string, isThere: (target: string) => boolean): string[] =>
  Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]+)?\)/g), ([, target = '']) =>
    posix.join(posix.dirname(path), target),
  ).filter((target) => !isThere(target))
