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
}

/** The progress of a person's last work of a kind, even after they left and came back. */
export default function JobProgress({ kind, title, doneWords }: JobProgressProps) {
  const { data } = useQuery({
    ...listQuery(jobs.list, { limit: 1, filters: [{ field: 'kind', operator: 'eq', value: kind }] }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.['hydra:member'][0]) ? 1000 : false),
  })
  const job = data?.['hydra:member'][0]
  // Only work seen under way here is announced when it ends.
  const [followed, follow] = useState<number | null>(null)
  const under = job && isUnderWay(job) ? job.id : null
  useEffect(() => {
    if (under !== null) follow(under)
  }, [under])
  const ended = job && job.id === followed && !isUnderWay(job) ? job : null
  const done = ended?.status === 'done' ? ended.done : null
  useEffect(() => {
    if (done === null) return
    if (doneWords) say(doneWords(done))
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
