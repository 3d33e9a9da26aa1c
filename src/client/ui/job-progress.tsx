import { membersOf } from '../../contract/list.ts'
import '@mantine/core/styles/Progress.css'

import { Alert, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { type Job, type JobKind, jobs } from '../../contract/jobs.ts'
import { listQuery } from '../api/queries.ts'
import { say } from '../page/messages.ts'

const isUnderWay = (job: Job | undefined): boolean => job?.ended_at === null

type JobProgressProps = {
  kind: JobKind
  title: string
  /** Said when it ends; left out where the page itself tells what came of it. */
  doneWords?: (count: number) => string
  /** Instead of them, where what is said is not known before. */
  onDone?: (count: number) => void
}

/** The progress of a person's last work of a kind, even after they left and came back. */
export default function JobProgress({ kind, title, doneWords, onDone }: JobProgressProps) {
  const { data, isFetchedAfterMount } = useQuery({
    ...listQuery(jobs.list, { limit: 1, filters: [{ field: 'kind', operator: 'eq', value: kind }] }),
    refetchInterval: ({ state }) => (isUnderWay(membersOf(state.data)?.[0]) ? 1000 : false),
  })
  const job = membersOf(data)?.[0]
  // Only work begun or seen under way here is announced when it ends; a short one may be over when it is first read.
  const [followed, follow] = useState<number | null>(null)
  const [known, know] = useState<number | null>(null)
  const last = data && isFetchedAfterMount ? (job?.id ?? 0) : null
  const isNew = last !== null && known !== null && last > known
  const begun = job && (isUnderWay(job) || isNew) ? job.id : null
  useEffect(() => {
    if (begun !== null) follow(begun)
    if (last !== null) know(last)
  }, [begun, last])
  const ended = job && job.id === followed && !isUnderWay(job) ? job : null
  const done = ended?.status === 'done' ? ended.done : null
  useEffect(() => {
    if (done === null) return
    if (doneWords) say(doneWords(done))
    onDone?.(done)
    follow(null)
    // oxlint-disable-next-line react/exhaustive-deps -- said once a job, whatever its words are made of
  }, [done])

  if (job && isUnderWay(job)) {
    const label = `${title}\u202f: ${job.done.toLocaleString('fr-FR')} sur ${job.total.toLocaleString('fr-FR')}`
    return (
      <div className="panel" role="status">
        <Text mb="xs">{label}</Text>
        <Progress value={job.total === 0 ? 100 : (100 * job.done) / job.total} aria-label={title} />
      </div>
    )
  }
  if (ended?.status === 'failed') {
    return (
      <Alert color="red" title={title} withCloseButton closeButtonLabel="Fermer" onClose={() => follow(null)}>
        {ended.problem}
      </Alert>
    )
  }
  return null
}
