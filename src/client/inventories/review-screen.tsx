import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { applyInventory, getInventory, type Inventory } from '../../contract/inventories.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { type FindingGroup, findingGroups } from '../../domain/inventory.ts'
import { oneQuery, useChange } from '../api/queries.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { type Choice, type Choices, bodyOf, countOf, noChoice } from './choices.ts'
import { FindingsPanel } from './findings-panel.tsx'
import { findingsQuery, toInventories } from './inventory-data.ts'
import styles from './inventory.module.css'
import { addressOfInventory, groupWords, isOver, willBe } from './inventory-words.ts'
import { ReportMenu } from './report-menu.tsx'
import { inWords } from '../page/house-words.ts'

/** What an inventory found otherwise than expected, and what is done about it. */
export default function ReviewScreen() {
  const id = Number(useParams()['inventory_id'])
  const { data, error, refetch } = useQuery(oneQuery(getInventory, id))
  return (
    <Page title={data?.name ?? 'Examen'} isNamed part="Examen" tools={data ? <ReportMenu id={id} /> : null}>
      {data ? (
        <Review key={id} of={data} />
      ) : (
        <UnreadState error={error} onRetry={refetch} lead={toInventories} height="24rem" />
      )}
    </Page>
  )
}

function Review({ of }: { of: Inventory }) {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(findingsQuery(of.id, { limit: 1 }))
  const [choices, setChoices] = useState<Choices>({})
  const { apply, isPending, release } = useApply(of, choices)
  const over = isOver(of)
  if (!data) return <UnreadState error={error} onRetry={refetch} height="24rem" />
  const { groups } = data
  const present = findingGroups.filter((group) => (groups[group] ?? 0) > 0)
  const asked = search.get('group')
  const open = present.find((group) => group === asked) ?? present[0]
  const choose = (group: FindingGroup, choice: Choice) => setChoices({ ...choices, [group]: choice })
  const planned = present.flatMap((group) => plan(choices[group], groups[group] ?? 0))
  const show = (group: FindingGroup) => setSearch({ group }, { replace: true, preventScrollReset: true })
  return (
    <>
      {over ? (
        <Alert color="lamp" variant="light" mb="md">
          {inWords('Cet inventaire est terminé\u202f: voici ce qu’il avait trouvé.')}
        </Alert>
      ) : of.seen < of.expected && of.scans === 0 ? (
        <Alert color="yellow" mb="md">
          Rien n’a encore été scanné&#8239;: tout paraît manquer.
        </Alert>
      ) : null}
      {open === undefined ? (
        <EmptyState
          message="Tout ce qui est attendu a été vu à sa place."
          action={
            <Button component={Link} to={addressOfInventory(of)} variant="default">
              {inWords('Revenir à l’inventaire')}
            </Button>
          }
        />
      ) : (
        <>
          <div className={styles['groups']} role="group" aria-label="Ce qui est examiné">
            {present.map((group) => (
              <Button
                key={group}
                variant={group === open ? 'filled' : 'default'}
                aria-pressed={group === open}
                onClick={() => show(group)}
              >
                {`${groupWords[group].title}\u00a0${frenchNumber(groups[group] ?? 0)}`}
              </Button>
            ))}
          </div>
          <FindingsPanel
            key={open}
            inventory={of}
            group={open}
            total={groups[open] ?? 0}
            choice={choices[open] ?? noChoice}
            onChoose={over ? null : (choice) => choose(open, choice)}
          />
        </>
      )}
      {over ? null : (
        <div className={styles['bar']}>
          <Text role="status">
            {planned.length > 0
              ? `${planned.join(', ')}.`
              : open === undefined
                ? 'Rien n’est à changer.'
                : 'Rien n’est encore choisi.'}
          </Text>
          <Group gap="sm">
            <Button
              loading={isPending}
              onClick={() =>
                void apply(planned).then((isDone) => {
                  if (isDone) release()
                })
              }
            >
              {planned.length === 0 ? 'Terminer sans rien changer' : 'Appliquer'}
            </Button>
          </Group>
        </div>
      )}
    </>
  )
}

const plan = (choice: Choice | undefined, total: number): string[] => {
  const count = choice ? countOf(choice, total) : 0
  return choice?.action && count > 0 ? [willBe[choice.action](count)] : []
}

/** Asks once, with the counts, and leads to the inventory where the work is followed. */
function useApply(of: Inventory, choices: Choices) {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { mutateAsync, isPending } = useChange(applyInventory)
  const release = useUnsavedGuard(Object.values(choices).some(({ action }) => action !== null))
  const apply = async (planned: readonly string[]): Promise<boolean> => {
    const what = planned.length === 0 ? 'Aucun exemplaire ne change' : planned.join(', ')
    const isMeant = await confirm({
      title: `Terminer «\u00a0${of.name}\u00a0»\u202f?`,
      message: `${what}. L’inventaire est alors fini, et tout s’annule en une fois depuis les actes.`,
      acts: 'destroys',
    })
    if (!isMeant) return false
    try {
      await mutateAsync({ params: { id: of.id }, body: bodyOf(choices) })
    } catch (error) {
      sayError(error)
      return false
    }
    release()
    say('L’inventaire est en cours d’application.', 'good', { about: of.name })
    void navigate(addressOfInventory(of), { replace: true })
    return true
  }
  return { apply, isPending, release }
}
