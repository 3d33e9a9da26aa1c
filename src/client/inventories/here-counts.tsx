import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import { getInventory } from '../../contract/inventories.ts'
import { countName, type LoadedCount, removedStatus } from '../../offline/inventory-rows.ts'
import { unsentScans } from '../../offline/inventory-scans.ts'
import { changeCount, forgetCount, loadedCounts } from '../../offline/inventory-store.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { useConnection } from '../api/connection.ts'
import { useSession } from '../api/session.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { counted } from '../ui/words.ts'
import { root } from './inventory-data.ts'
import { addressOfCount, isOver, isRemoved } from './inventory-words.ts'

/** What is loaded on this device opens from here, also without a network. */
export function HereCounts() {
  const environment = useSession()?.environment_id ?? 0
  const isOnline = useConnection() === 'online'
  const { data = [], refetch } = useQuery({
    queryKey: [root, 'here', environment],
    queryFn: () => countsHere(environment),
    networkMode: 'always',
  })
  // Apart, because what is here is shown at once.
  useQuery({
    queryKey: [root, 'here as the server has them', environment],
    queryFn: async () => {
      if (await noteStatuses(environment)) await refetch()
      return Date.now()
    },
    enabled: isOnline,
  })
  if (data.length === 0) return null
  return (
    <section className="panel" aria-labelledby="here-counts">
      <Stack gap="sm">
        <Title order={2} size="h4" id="here-counts">
          Chargés sur cet appareil
        </Title>
        {data.map(({ loaded, unsent, isToSend }) => (
          <Group key={loaded.id} justify="space-between" gap="sm">
            <div>
              <Text fw={600}>{loaded.name}</Text>
              <Text c="dimmed" size="sm">
                {[
                  loaded.site_name,
                  counted(loaded.copies, 'exemplaire', 'exemplaires'),
                  ...(isRemoved(loaded)
                    ? [`supprimé, ${counted(unsent, 'scan n’est pas envoyé', 'scans ne sont pas envoyés')}`]
                    : unsent > 0
                      ? [counted(unsent, 'scan à envoyer', 'scans à envoyer')]
                      : []),
                ].join(' · ')}
              </Text>
            </div>
            {isRemoved(loaded) ? (
              <Removed
                loaded={loaded}
                unsent={unsent}
                isToSend={isToSend}
                onForgotten={() => void refetch()}
              />
            ) : (
              <Button
                component={Link}
                to={addressOfCount(loaded)}
                aria-label={`Compter\u202f: ${loaded.name}`}
              >
                Compter
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </section>
  )
}

type RemovedProps = { loaded: LoadedCount; unsent: number; isToSend: boolean; onForgotten: () => void }

/** What was not sent of a removed inventory is lost only where somebody says so, and never what a person has still to send. */
function Removed({ loaded, unsent, isToSend, onForgotten }: RemovedProps) {
  const confirm = useConfirm()
  const forget = async () => {
    const isMeant = await confirm({
      title: `Effacer «\u00a0${loaded.name}\u00a0» de cet appareil\u202f?`,
      message: `${counted(unsent, 'scan n’est pas envoyé et sera perdu', 'scans ne sont pas envoyés et seront perdus')}. Téléchargez d’abord ce que vous voulez garder.`,
      acts: 'destroys',
    })
    if (!isMeant) return
    await forgetCount(countName(loaded.environment_id, loaded.id), 'given-up')
    onForgotten()
  }
  return (
    <Group gap="sm">
      <Button
        component={Link}
        to={addressOfCount(loaded)}
        variant="default"
        aria-label={`Voir ses scans\u202f: ${loaded.name}`}
      >
        Voir ses scans
      </Button>
      {isToSend ? null : (
        <Button variant="default" aria-label={`Effacer\u202f: ${loaded.name}`} onClick={() => void forget()}>
          Effacer
        </Button>
      )}
    </Group>
  )
}

/** One that is over leaves the device once all of it was sent. */
async function countsHere(environment: number) {
  const here = []
  for (const loaded of await loadedCounts(environment)) {
    const name = countName(loaded.environment_id, loaded.id)
    if (isOver(loaded) && (await forgetCount(name))) continue
    if (loaded.loaded_at === null) continue
    const unsent = (await unsentScans()).filter(({ count }) => count === name)
    const isToSend = unsent.some(({ state }) => state === 'queued')
    here.push({ loaded, unsent: unsent.length, isToSend })
  }
  return here
}

/** Answers whether any stands otherwise than it was known here. */
async function noteStatuses(environment: number): Promise<boolean> {
  let isNew = false
  for (const loaded of await loadedCounts(environment)) {
    const status = await statusNow(loaded)
    if (status === loaded.status) continue
    await changeCount(countName(loaded.environment_id, loaded.id), { status })
    isNew = true
  }
  return isNew
}

/** As the server has it, or as it was last known here. */
async function statusNow({ id, status }: LoadedCount): Promise<string> {
  try {
    return (await call(getInventory, { params: { id } })).status
  } catch (error) {
    return error instanceof CallError && error.status === 404 ? removedStatus : status
  }
}
