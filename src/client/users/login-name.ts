import { folded } from '../ui/every-word.ts'

/** « anne.le-goff » of Anne Le Goff, for whoever has no other wish. */
export const loginNameOf = (firstname: string, lastname: string): string =>
  [firstname, lastname]
    .map((name) =>
      folded(name)
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, ''),
    )
    .filter((part) => part !== '')
    .join('.')
