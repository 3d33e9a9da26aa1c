import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { findTwins } from '../../contract/beneficiary-changes.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { type MemberOf, membersOf } from '../../contract/list.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { fullName } from '../../domain/person-names.ts'
import { call } from '../api/call.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import styles from './reader-view.module.css'

type Typed = { lastname: string; firstname: string; birth_year: string; email: string; reader_id: string }
type Twin = MemberOf<AnswerOf<typeof findTwins>>

/** Readers who may be the one being typed. It says so, and stops nobody. */
export function Twins({ typed, except }: { typed: Typed; except: number | null }) {
  const asked = useDebounced(JSON.stringify(queryOf(typed)))
  const { data } = useQuery({
    queryKey: ['beneficiaries', findTwins.name, asked, except],
    queryFn: ({ signal }) =>
      call(findTwins, {
        query: {
          ...(JSON.parse(asked) as Partial<Typed>),
          ...(except === null ? {} : { except: String(except) }),
        },
        signal,
      }),
    enabled: asked !== '{}',
  })
  const twins = asked === '{}' ? [] : (membersOf(data) ?? [])
  return (
    <div role="status">
      {twins.length === 0 ? null : (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {twins.length === 1 ? 'Déjà inscrit\u202f?' : 'Déjà inscrits\u202f?'}
          </Text>
          <ul className={`marked ${styles['twins']}`}>
            {twins.map((twin) => (
              <li key={twin.id}>
                <Text size="sm" c="dimmed">
                  {/* Beside the form, which keeps what was typed. */}
                  <Anchor
                    inherit
                    underline="always"
                    href={addressOfReader(twin.id)}
                    target="_blank"
                    rel="noopener"
                  >
                    {fullName(twin)}
                  </Anchor>
                  {` · ${factsOf(twin).join(' · ')}`}
                </Text>
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </div>
  )
}

/** Only what is complete enough to tell somebody by. */
function queryOf({ lastname, firstname, birth_year, email, reader_id }: Typed): Partial<Typed> {
  const name = lastname.trim()
  return {
    ...(name.length > 1 ? { lastname: name, firstname: firstname.trim() } : {}),
    ...(name.length > 1 && /^\d{4}$/.test(birth_year) ? { birth_year } : {}),
    ...(email.includes('@') ? { email: email.trim() } : {}),
    ...(reader_id.trim() === '' ? {} : { reader_id: reader_id.trim() }),
  }
}

const same = { name: 'même nom', email: 'même courriel', number: 'même numéro' }

const factsOf = ({ matricule, birth_year, exit_date, why }: Twin): string[] => [
  matricule,
  ...(birth_year === null ? [] : [`naissance en ${birth_year}`]),
  ...(exit_date === null ? [] : [`sortie le ${frenchDay(exit_date)}`]),
  why.map((one) => same[one]).join(', '),
]
