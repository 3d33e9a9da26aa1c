import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { countName } from '../../offline/inventory-rows.ts'
import { unsentScans } from '../../offline/inventory-scans.ts'
import { forgetCount, loadedCounts } from '../../offline/inventory-store.ts'
import { useSession } from '../api/session.ts'
import { counted } from '../ui/words.ts'
import { root } from './inventory-data.ts'
import { addressOfCount, isOver } from './inventory-words.ts'

/** What is loaded on this device opens from here, also without a network. */
export function HereCounts() {
  const environment = useSession()?.environment_id ?? 0
  const { data = [] } = useQuery({
    queryKey: [root, 'here', environment],
    queryFn: () => countsHere(environment),
    networkMode: 'always',
  })
  if (data.length === 0) return null
  return (
    <section className="panel" aria-labelledby="here-counts">
      <Stack gap="sm">
        <Title order={2} size="h4" id="here-counts">
          Chargés sur cet appareil
        </Title>
        {data.map(({ loaded, unsent }) => (
          <Group key={loaded.id} justify="space-between" gap="sm">
            <div>
              <Text fw={600}>{loaded.name}</Text>
              <Text c="dimmed" size="sm">
                {[
                  loaded.site_name,
                  counted(loaded.copies, 'exemplaire', 'exemplaires'),
                  ...(unsent > 0 ? [counted(unsent, 'scan à envoyer', 'scans à envoyer')] : []),
                ].join(' · ')}
              </Text>
            </div>
            <Button component={Link} to={addressOfCount(loaded)} aria-label={`Compter\u202f: ${loaded.name}`}>
              Compter
            </Button>
          </Group>
        ))}
      </Stack>
    </section>
  )
}

/** One that is over leaves the device once all of it was sent. */
async function countsHere(environment: number) {
  const counts = await loadedCounts(environment)
  const unsent = await unsentScans()
  const here = []
  for (const loaded of counts) {
    const name = countName(loaded.environment_id, loaded.id)
    if (isOver(loaded) && (await forgetCount(name))) continue
    if (loaded.loaded_at === null) continue
    here.push({ loaded, unsent: unsent.filter(({ count }) => count === name).length })
  }
  return here
}
