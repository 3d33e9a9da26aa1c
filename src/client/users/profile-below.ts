import type { Profile } from '../../contract/profiles.ts'
import { differenceOf } from './rights-difference.tsx'

/** Which other profile it is told apart from: the most alike of those with no more rights, else of all. */
export function profileBelow(of: Profile, profiles: readonly Profile[]): Profile | null {
  const others = profiles.filter(({ id }) => id !== of.id)
  const below = others.filter(({ rights }) => rights.length <= of.rights.length)
  const apart = ({ rights }: Profile) => {
    const { added, removed } = differenceOf(rights, of.rights)
    return added.length + removed.length
  }
  const [nearest = null] = (below.length > 0 ? below : others).toSorted((a, b) => apart(a) - apart(b))
  return nearest
}
