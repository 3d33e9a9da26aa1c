import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { type CodeHolder, listSharedCodes } from '../../contract/installation.ts'
import { call } from '../api/call.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { ErrorState } from '../ui/states.tsx'
import { counted } from '../ui/words.ts'
import styles from './installation.module.css'

/** Codes that a scan may take for another thing, from before they were refused. */
export function SharedCodes() {
  const { data, error, refetch } = useQuery({
    queryKey: ['installation', listSharedCodes.name],
    queryFn: ({ signal }) => call(listSharedCodes, { signal }),
    staleTime: 0,
  })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null
  const { total, codes } = data
  const rest = total - codes.length
  return (
    <section className="panel">
      <Title order={2} size="h4" mb="xs">
        Codes qui nomment plusieurs choses
      </Title>
      <Text>
        {total === 0
          ? 'Aucun\u202f: chaque code lu au comptoir ne désigne qu’une chose.'
          : `${counted(total, 'code nomme', 'codes nomment')} plusieurs choses, et un scan peut prendre l’une pour l’autre. Gardez-le à l’une, et donnez un autre code aux autres.`}
      </Text>
      <ul className={styles['list']}>
        {codes.map(({ code, holders }) => (
          <li key={code} className={styles['row']}>
            <strong>{code}</strong>
            <ul className={styles['fact']}>
              {holders.map((holder) => (
                <li key={`${holder.kind} ${holder.written}`}>
                  <Holder holder={holder} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Text c="dimmed">{`Et ${counted(rest, 'autre', 'autres')}, qui viendront ici ensuite.`}</Text>
      ) : null}
    </section>
  )
}

const placeOf = { copy: '/references/view', reader: '/beneficiaries/view', relative: '/beneficiaries/view' }

function Holder({ holder: { kind, written, name, leads_to } }: { holder: CodeHolder }) {
  const [mayOpenTitles, mayOpenReaders] = [useRight('LIST_REFERENCES'), useRight('LIST_BENEFICIARIES')]
  const mayOpen = kind === 'copy' ? mayOpenTitles : mayOpenReaders
  const words = wordsOf[kind](name)
  return (
    <>
      {written},{' '}
      {kind !== 'location' && leads_to !== null && mayOpen ? (
        <Link to={`${placeOf[kind]}/${leads_to}`}>{words}</Link>
      ) : (
        words
      )}
    </>
  )
}

const elsewhere = 'd’un autre site'

const wordsOf: Record<CodeHolder['kind'], (name: string | null) => string> = {
  copy: (name) => `${inWords('un exemplaire')} ${name === null ? elsewhere : `de «\u00a0${name}\u00a0»`}`,
  location: (name) => `${inWords('l’emplacement')} «\u00a0${name ?? ''}\u00a0»`,
  reader: () => inWords('la carte d’un lecteur'),
  relative: () => inWords('la carte d’un proche'),
}
