import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconSend } from '@tabler/icons-react'
import { useCallback, useRef, useState, useEffect } from 'react'
import { useLocation } from 'react-router-dom'

import { hostUnknown } from '../../domain/host-unknown.ts'
import type { SettleChoice } from '../../domain/settle-choice-codes.ts'
import { choiceOf } from '../../domain/settle-choices.ts'
import { shortFileName } from '../../domain/upload-rules.ts'
import { adoptEntries } from '../../offline/adopt-entries.ts'
import { confirmEntries } from '../../offline/confirm-entries.ts'
import { StoreOutdatedError } from '../../offline/device-store.ts'
import { type Entry, isRefused, isUnsettled, personOf, senderOf } from '../../offline/entry.ts'
import { forgetOfferedFile, offeredFiles } from '../../offline/offered-files.ts'
import { dropEntry, retryEntry } from '../../offline/outbox-decisions.ts'
import { listEntries } from '../../offline/outbox.ts'
import { settleEntry, type Settling } from '../../offline/settle-entry.ts'
import { isToConfirm } from '../../offline/unproven.ts'
import { useConnection, useHostUnknown, useIsConnectionTold } from '../api/connection.ts'
import { currentActor } from '../api/current-actor.ts'
import { useSession, useRight } from '../api/session.ts'
import { whyNotKept } from '../outbox/keep-actions.ts'
import { drainNow, sendAllNow, useSnapshotState } from '../outbox/counter-work.ts'
import { whatOf } from '../outbox/entry-words.ts'
import {
  type OthersQueue,
  type TriedReading,
  useTriedReading,
  type WaitingLists,
} from '../outbox/waiting-data.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import type { Question } from '../ui/dialogs/confirm-question.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { MotiveDialog } from '../ui/forms/motive-dialog.tsx'
import { Page } from '../ui/page.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { EmptyState } from '../ui/states.tsx'
import { useGradually } from '../ui/use-gradually.ts'
import { ago, counted } from '../ui/words.ts'
import { DoneToday } from './done-today.tsx'
import { importFile } from './import-file.ts'
import { QueueFile } from './queue-file.tsx'
import { SettleDialog } from './settle-dialog.tsx'
import { ToConfirm } from './to-confirm.tsx'
import { useWorkFocus } from './use-work-focus.ts'
import { WaitingRow } from './waiting-row.tsx'
import styles from './waiting.module.css'

type Ask = ReturnType<typeof useConfirm>

function useOfferedFiles(): void {
  const confirm = useConfirm()
  // A file handed over while the screen is open navigates here again.
  const { key } = useLocation()
  useEffect(() => askNext(confirm), [key, confirm])
}

/** One at a time for the whole page, because of two equal questions one would not be asked. */
let asking = Promise.resolve()

function askNext(confirm: Ask): void {
  // The screen itself reports a store that cannot be read.
  asking = asking.then(() => askAll(confirm)).catch(() => undefined)
}

/** A file leaves the store once answered, so a page closed before asks again. */
async function askAll(confirm: Ask): Promise<void> {
  let [file] = await offeredFiles()
  while (file) {
    const { id, name } = file
    // Another file would fare no better now.
    if (!(await importFile(file, (count) => confirm(questionOf(name, count))))) return
    await forgetOfferedFile(id)
    ;[file] = await offeredFiles()
  }
}

const questionOf = (name: string, count: number): Question => ({
  title: 'Importer une file',
  message: `«\u00a0${shortFileName(name)}\u00a0» contient ${counted(count, 'action', 'actions')}. ${
    count > 1
      ? 'Elles partiront de cet appareil, chacune une seule fois\u202f; celles d’une autre personne attendront sa confirmation.'
      : 'Elle partira de cet appareil, une seule fois\u202f; celle d’une autre personne attendra sa confirmation.'
  }`,
  acts: 'sends',
})

type DropDialogProps = { entry: Entry; onConfirm: (motive: string) => unknown; onClose: () => void }

/** With a named person's decision and motive. Rendered while open. */
function DropDialog({ entry, ...settle }: DropDialogProps) {
  return (
    <MotiveDialog
      act="Mettre de côté"
      of={entry.id}
      acts="destroys"
      missing="Écrivez pourquoi cette action est mise de côté."
      {...settle}
    >
      <div>
        <Text fw={600}>{entry.label.title}</Text>
        <Text>{whatOf(entry)}</Text>
      </div>
      <Text>Cette action ne sera pas appliquée. Votre nom et le motif sont gardés.</Text>
    </MotiveDialog>
  )
}

export default function WaitingScreen() {
  const { reading: lists, trouble, again } = useWaitingLists()
  useOfferedFiles()
  const toConfirm = lists?.mine.filter(isToConfirm) ?? []
  const rest = lists?.mine.filter((entry) => !isToConfirm(entry))
  const { list, summary, onFocus } = useWorkFocus(rest)
  const shown = useGradually(rest?.length ?? 0)
  const username = useSession()?.user?.username ?? ''
  const [toDrop, setToDrop] = useState<Entry | null>(null)
  const [asked, setAsked] = useState<{ entry: Entry; choice: SettleChoice } | null>(null)

  const isAtWork = useRef(false)

  /** One decision at a time; after a failure its dialog keeps what was typed. */
  const attempt = async (work: () => Promise<void>) => {
    if (isAtWork.current) return
    isAtWork.current = true
    try {
      await work()
    } catch (error) {
      say(whyNotKept(error), 'bad')
    } finally {
      isAtWork.current = false
    }
  }
  const retry = useCallbackRef((entry: Entry) => {
    void attempt(async () => {
      if ((await retryEntry(entry.id, { username })) === null) say(changedSentence, 'warn')
      drainNow()
    })
  })
  const drop = (entry: Entry, motive: string) =>
    attempt(async () => {
      const isDone = await dropEntry(entry.id, username, motive)
      setToDrop(null)
      if (!isDone) say(sentSentence, 'warn')
    })
  const settle = (entry: Entry, settling: Settling) =>
    attempt(async () => {
      const made = await settleEntry(entry.id, settling, await currentActor())
      setAsked(null)
      if (made === null) say(changedSentence, 'warn')
      drainNow()
    })
  const choose = useCallbackRef((entry: Entry, choice: SettleChoice) => {
    if (choiceOf(choice).need === null) void settle(entry, { choice })
    else setAsked({ entry, choice })
  })
  const adopt = ({ person }: OthersQueue) =>
    attempt(async () => {
      const taken = await adoptEntries(person, await currentActor())
      say(`${counted(taken, 'action reprise', 'actions reprises', 'Aucune action reprise')}.`)
      // The pressed button leaves with its queue.
      summary.current?.focus()
      drainNow()
    })
  const confirmThem = (ids: readonly string[]) =>
    attempt(async () => {
      const confirmed = await confirmEntries(ids, await currentActor())
      say(`${counted(confirmed, 'action confirmée', 'actions confirmées', 'Aucune action confirmée')}.`)
      summary.current?.focus()
      drainNow()
    })
  if (lists === null || rest === undefined) {
    return trouble === null ? (
      <ScreenSkeleton />
    ) : (
      <Page title={title}>
        <Unreadable trouble={trouble} onRetry={again} />
      </Page>
    )
  }
  const { mine, others, done } = lists
  return (
    <Page
      title={title}
      actions={[
        {
          label: 'Tout envoyer maintenant',
          short: 'Tout envoyer',
          Icon: IconSend,
          onRun: sendAllNow,
          isDisabled: !mine.some(({ state }) => state === 'queued' || state === 'sending'),
          isMain: true,
        },
      ]}
    >
      {trouble === null ? null : <Unreadable trouble={trouble} onRetry={again} />}
      <Contact />
      <Stack gap="sm" component="section" aria-label="À appliquer" onFocus={onFocus}>
        <div role="status" tabIndex={-1} ref={summary} className={styles['summaryLine']}>
          <Summary {...lists} />
        </div>
        {rest.length > 0 ? (
          <ol className={styles['list']} ref={list}>
            {rest.slice(0, shown).map((entry) => (
              <WaitingRow key={entry.id} entry={entry} onRetry={retry} onDrop={setToDrop} onChoose={choose} />
            ))}
          </ol>
        ) : null}
      </Stack>
      {toConfirm.length > 0 ? (
        <ToConfirm entries={toConfirm} onConfirm={(ids) => void confirmThem(ids)} onDrop={setToDrop} />
      ) : null}
      {others.length > 0 ? <Others others={others} onAdopt={(queue) => void adopt(queue)} /> : null}
      {done.length > 0 ? <DoneToday entries={done} /> : null}
      <QueueFile isEmpty={mine.length === 0 && others.length === 0} />
      {asked ? (
        <SettleDialog
          {...asked}
          onClose={() => setAsked(null)}
          onConfirm={(settling) => settle(asked.entry, settling)}
        />
      ) : null}
      {toDrop ? (
        <DropDialog
          entry={toDrop}
          onClose={() => setToDrop(null)}
          onConfirm={(motive) => drop(toDrop, motive)}
        />
      ) : null}
    </Page>
  )
}

function useWaitingLists(): TriedReading<WaitingLists | null> {
  const session = useSession()
  const environment_id = session?.environment_id ?? null
  const user_id = session?.user?.id ?? null
  const read = useCallback(
    async (): Promise<WaitingLists | null> =>
      environment_id === null || user_id === null
        ? null
        : sortedOut(await listEntries(), personOf({ environment_id, user_id }), new Date()),
    [environment_id, user_id],
  )
  return useTriedReading(read, null)
}

function sortedOut(entries: readonly Entry[], person: string, now: Date): WaitingLists {
  const unsettled = entries.filter(isUnsettled)
  const others = new Map<string, OthersQueue>()
  for (const entry of unsettled.filter((one) => senderOf(one) !== person)) {
    const sender = senderOf(entry)
    const queue = others.get(sender) ?? {
      person: sender,
      username: entry.adopted_by?.username ?? entry.username,
      count: 0,
    }
    others.set(sender, { ...queue, count: queue.count + 1 })
  }
  const isToday = ({ settled_at }: Entry) =>
    settled_at !== null && new Date(settled_at).toDateString() === now.toDateString()
  return {
    mine: unsettled.filter((one) => senderOf(one) === person),
    others: [...others.values()],
    done: entries.filter((one) => !isUnsettled(one) && senderOf(one) === person && isToday(one)).toReversed(),
  }
}

const title = 'Actions en attente'
const changedSentence = 'Cette action vient de changer d’état.'
const sentSentence =
  'Cette action est peut-être déjà arrivée au serveur\u202f: elle ne peut pas être mise de côté maintenant.'

function Unreadable({ trouble, onRetry }: { trouble: unknown; onRetry: () => void }) {
  return (
    <div className="panel" role="alert">
      <EmptyState
        message={
          trouble instanceof StoreOutdatedError
            ? trouble.message
            : 'Les actions en attente n’ont pas pu être lues sur cet appareil.'
        }
        action={
          <Button variant="default" onClick={onRetry}>
            Réessayer
          </Button>
        }
      />
    </div>
  )
}

function Summary({ mine, others }: WaitingLists) {
  if (mine.length > 0) {
    const refused = mine.filter(isRefused).length
    return (
      <Text fw={600}>
        {refused === mine.length
          ? `${counted(refused, 'action', 'actions')} à régler.`
          : `${counted(mine.length, 'action attend', 'actions attendent')}${refused > 0 ? `, dont ${refused} à régler` : ''}.`}
      </Text>
    )
  }
  if (others.length > 0) return <Text>Rien n’attend de votre part.</Text>
  return (
    <div className="panel">
      <EmptyState message={'Rien n’attend\u202f: tout est enregistré.'} />
    </div>
  )
}

/** What is not known yet is not said. */
function Contact() {
  const isOnline = useConnection() === 'online'
  const isTold = useIsConnectionTold()
  const isHostUnknown = useHostUnknown()
  const known = useSnapshotState()
  return (
    <Group className="panel" gap="0.1rem 1.5rem" py="sm">
      <Text>
        {isOnline
          ? isTold
            ? 'Le serveur répond.'
            : 'Le serveur est interrogé…'
          : isHostUnknown
            ? inWords(hostUnknown)
            : 'Hors ligne\u202f: tout partira dès que le réseau reviendra.'}
      </Text>
      {/* Until it is read it has the room of what it will say. */}
      <Text c="dimmed" style={known === undefined ? { visibility: 'hidden' } : undefined}>
        {known === undefined
          ? 'Dernier contact et données de cet appareil\u202f: il y a 1 minute.'
          : known?.refreshed_at
            ? `Dernier contact et données de cet appareil\u202f: ${ago(known.refreshed_at)}.`
            : 'Cet appareil n’a pas encore les données de la bibliothèque.'}
      </Text>
    </Group>
  )
}

type OthersProps = { others: readonly OthersQueue[]; onAdopt: (queue: OthersQueue) => void }

/** Sent when these people sign in again, or by whoever may take them over. */
function Others({ others, onAdopt }: OthersProps) {
  const mayAdopt = useRight('QUEUE_ADOPT')
  const confirm = useConfirm()
  const ask = async (queue: OthersQueue) => {
    const isSure = await confirm({
      title: `Reprendre les actions de ${queue.username}`,
      isNamed: true,
      message: `${counted(queue.count, 'action sera envoyée', 'actions seront envoyées')} en votre nom. Le journal gardera vos deux noms.`,
      acts: 'sends',
    })
    if (isSure) onAdopt(queue)
  }
  return (
    <section className="panel" aria-labelledby="autres">
      <Title order={2} size="h4" id="autres" mb="xs">
        Actions d’autres personnes
      </Title>
      {others.map((queue) => (
        <Group key={queue.person} justify="space-between" gap="sm" mb="xs">
          <Text>
            {queue.username}&#8239;: {counted(queue.count, 'action', 'actions')}
          </Text>
          {mayAdopt ? (
            <Button
              variant="light"
              aria-label={`Reprendre les actions de ${queue.username}`}
              onClick={() => void ask(queue)}
            >
              Reprendre
            </Button>
          ) : null}
        </Group>
      ))}
      <Text c="dimmed" size="sm">
        {mayAdopt
          ? 'Elles partiront à leur prochaine connexion sur cet appareil, ou si vous les reprenez. Celles qui viennent d’un fichier attendront d’être confirmées.'
          : 'Elles partiront à leur prochaine connexion sur cet appareil, ou si un responsable les reprend. Celles qui viennent d’un fichier attendront d’être confirmées.'}
      </Text>
    </section>
  )
}
