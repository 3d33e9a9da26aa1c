import { membersOf } from '../../contract/list.ts'
import '@mantine/core/styles/Progress.css'

import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { IconDownload, IconPackageExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import {
  type Archive,
  archives,
  forgetArchive,
  getArchiveFile,
  makeArchive,
} from '../../contract/archives.ts'
import { byteSize } from '../../domain/byte-size.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { call } from '../api/call.ts'
import { listQuery, useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { saveFile } from '../ui/save-file.ts'
import { frenchInstant } from '../ui/words.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { inWords } from '../page/house-words.ts'

const title = 'Emporter les données'

/** Everything that the library has here, in one file that other software can read. */
export default function LeavingScreen() {
  const { data, error, refetch } = useQuery({
    ...listQuery(archives.list, { limit: 1 }),
    refetchInterval: ({ state }) => (isUnderWay(membersOf(state.data)?.[0]) ? 1000 : false),
  })
  const make = useChange(makeArchive)
  const ask = () =>
    make.mutateAsync({}).catch((refused: unknown) => sayError(refused, 'L’archive n’a pas pu être demandée.'))
  if (!data) return <UnreadScreen title={title} error={error} onRetry={refetch} />
  const archive = membersOf(data)[0]
  return (
    <Page title={title}>
      <Stack maw="40rem">
        <Held />
        {archive ? <Made archive={archive} /> : null}
        {isUnderWay(archive) ? null : (
          <Group>
            <Button
              variant={archive?.status === 'done' ? 'default' : 'filled'}
              leftSection={<IconPackageExport size="1.2em" aria-hidden />}
              loading={make.isPending}
              onClick={() => void ask()}
            >
              {archive?.status === 'done' ? 'Refaire l’archive' : 'Préparer l’archive'}
            </Button>
          </Group>
        )}
      </Stack>
    </Page>
  )
}

const isUnderWay = (archive: Archive | undefined): boolean => archive?.ended_at === null

function Held() {
  return (
    <div className="panel">
      <Text mb="xs">
        Un fichier zip avec tout ce que la bibliothèque a mis ici, que tout autre logiciel de bibliothèque
        peut lire&#8239;:
      </Text>
      <List mb="xs">
        <List.Item>
          {inWords('le catalogue et les exemplaires en UNIMARC (zone 995), avec les images\u202f;')}
        </List.Item>
        <List.Item>
          {inWords(
            'les lecteurs et leurs proches, tous les prêts, les réservations, en tableaux (csv)\u202f;',
          )}
        </List.Item>
        <List.Item>
          {inWords('les sites, supports, listes, motifs, profils, comptes et paramètres\u202f;')}
        </List.Item>
        <List.Item>une page qui explique chaque fichier et chaque colonne.</List.Item>
      </List>
      <Text>
        {inWords(
          'N’y sont pas\u202f: les mots de passe, les courriels envoyés, le journal et les actes qui s’annulent, les inventaires (gardez-en les rapports), la liste «\u00a0À étiqueter\u00a0» et les vues des listes. Ce fichier contient les données personnelles de tous les sites\u202f: gardez-le en lieu sûr. Le serveur l’efface après un jour.',
        )}
      </Text>
    </div>
  )
}

function Made({ archive }: { archive: Archive }) {
  if (archive.ended_at === null) {
    const { done, total } = archive
    return (
      <div className="panel" role="status">
        <Text mb="xs">
          {total === 0
            ? 'L’archive se prépare.'
            : `L’archive se prépare\u202f: ${frenchNumber(done)} sur ${frenchNumber(total)}`}
        </Text>
        {total === 0 ? null : <Progress value={(100 * done) / total} aria-label="Préparation de l’archive" />}
        <Text mt="xs" c="dimmed">
          Vous pouvez quitter cette page et revenir.
        </Text>
      </div>
    )
  }
  if (archive.status === 'failed') {
    return (
      <Alert color="red" title="L’archive n’a pas pu être faite">
        {archive.problem}
      </Alert>
    )
  }
  return <Ready archive={archive} />
}

function Ready({ archive: { id, size, created_at, kept_until } }: { archive: Archive }) {
  const forget = useChange(forgetArchive)
  const confirm = useConfirm()
  const [isFetching, setIsFetching] = useState(false)
  const fetchIt = () => {
    setIsFetching(true)
    void call(getArchiveFile, { params: { id } })
      .then(saveFile, (problem: unknown) => sayError(problem, 'L’archive n’a pas pu être téléchargée.'))
      .finally(() => setIsFetching(false))
  }
  const remove = async () => {
    const isSure = await confirm({
      title: 'Effacer cette archive du serveur\u202f?',
      message: 'Les données de la bibliothèque restent\u202f: seul ce fichier est effacé.',
      acts: 'destroys',
    })
    if (!isSure) return
    await forget.mutateAsync({ params: { id } }).then(
      () => say('Archive effacée.'),
      (problem: unknown) => sayError(problem, 'L’archive n’a pas pu être effacée.'),
    )
  }
  return (
    <div className="panel">
      <Text fw={600}>{`Archive du ${frenchInstant(created_at)}`}</Text>
      <Text mb="sm" c="dimmed">
        {`${byteSize(size ?? 0)}${kept_until ? `, gardée jusqu’au ${frenchInstant(kept_until)}` : ''}`}
      </Text>
      <Group>
        <Button
          leftSection={<IconDownload size="1.2em" aria-hidden />}
          loading={isFetching}
          onClick={fetchIt}
        >
          Télécharger
        </Button>
        <Button variant="default" loading={forget.isPending} onClick={() => void remove()}>
          Effacer du serveur
        </Button>
      </Group>
    </div>
  )
}
