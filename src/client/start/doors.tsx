import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconBarcode, IconFileImport, IconFlask2 } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'

import { importRightCodes } from '../../domain/act-rights.ts'
import { addSample, removeSample, type StartState } from '../../contract/start.ts'
import { useChange } from '../api/queries.ts'
import { useRight, useRights } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { leftIn, useRefreshAll } from './start-data.ts'
import { firstReferenceAddress } from './start-words.ts'
import styles from './start.module.css'
import { useStepHeading } from './step-panel.tsx'
import { TasksLeft } from './tasks-left.tsx'
import { inWords } from '../page/house-words.ts'

/** Three ways to the first loan, and what is left before it. */
export function Doors({ state }: { state: StartState }) {
  const heading = useStepHeading()
  const id = useId()
  const mayAdd = useRight('COPY_CREATEREF')
  const maySetDays = useRight('PARAMETER_SITE')
  const held = useRights()
  const mayImport = importRightCodes.some((right) => held.includes(right))
  return (
    <>
      <section className={styles['doors']} aria-labelledby={id}>
        <Title order={2} size="h3" id={id} ref={heading} tabIndex={-1}>
          {state.tasks.loan ? 'Et maintenant, au comptoir' : inWords('Et maintenant, le premier prêt')}
        </Title>
        <Text>
          {state.tasks.loan
            ? inWords('Le premier prêt est fait\u202f: prêts et retours se scannent désormais à l’accueil.')
            : inWords('Il y faut une référence et un lecteur. Trois chemins y mènent\u202f:')}
        </Text>
        {state.tasks.loan ? (
          <Group>
            <Button component={Link} to="/home">
              Aller à l’accueil
            </Button>
          </Group>
        ) : null}
        <div className={styles['threeDoors']}>
          <Door
            Icon={IconBarcode}
            title={inWords('Scanner une première référence')}
            about={inWords(
              'Le code-barres de l’éditeur, s’il y en a un, remplit la notice. Ajoutez ensuite un exemplaire, un lecteur, et prêtez.',
            )}
          >
            <Button component={Link} to={firstReferenceAddress} disabled={!mayAdd}>
              {inWords('Scanner une référence')}
            </Button>
          </Door>
          {/* Invented titles have no place among those that are lent already. */}
          {state.tasks.loan && state.sample === null ? null : <SampleDoor sample={state.sample} />}
          <Door
            Icon={IconFileImport}
            title="Importer un fichier"
            about={inWords(
              'Un catalogue ou des lecteurs, d’un autre logiciel ou d’un tableur. Le fichier est d’abord lu\u202f: rien ne change avant que vous ne l’ayez essayé.',
            )}
          >
            <Button component={Link} to="/imports/add" variant="default" disabled={!mayImport}>
              Choisir un fichier
            </Button>
          </Door>
        </div>
      </section>
      {leftIn(state).length === 0 ? null : <Left tasks={state.tasks} />}
      {maySetDays ? (
        <Text>
          Dites aussi vos{' '}
          <Anchor component={Link} to="/settings/closures" inherit underline="always">
            jours d’ouverture et vos fermetures
          </Anchor>
          &#8239;: {inWords('aucun retour n’est attendu un jour fermé.')}
        </Text>
      ) : null}
    </>
  )
}

function Left({ tasks }: Pick<StartState, 'tasks'>) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        Reste à faire
      </Title>
      <TasksLeft tasks={tasks} />
    </section>
  )
}

type DoorProps = {
  Icon: ComponentType<{ size: string; className: string; 'aria-hidden': true }>
  title: string
  about: ReactNode
  children?: ReactNode
}

function Door({ Icon, title, about, children }: DoorProps) {
  return (
    <div className={`panel ${styles['door']}`}>
      <Icon size="1.75rem" className={styles['cardIcon'] ?? ''} aria-hidden />
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text c="dimmed" className={styles['doorAbout'] ?? ''}>
        {about}
      </Text>
      {children}
    </div>
  )
}

function SampleDoor({ sample }: Pick<StartState, 'sample'>) {
  const add = useChange(addSample)
  const remove = useChange(removeSample)
  const confirm = useConfirm()
  const refreshAll = useRefreshAll()
  const lay = () => add.mutate({}, { onSuccess: refreshAll, onError: (error) => sayError(error) })
  const takeAway = async () => {
    const isSure = await confirm({
      title: 'Retirer l’exemple\u202f?',
      message: 'Ses titres, ses lecteurs et leurs prêts disparaissent. Ce qui est à vous reste.',
      acts: 'destroys',
    })
    if (!isSure) return
    remove.mutate(
      {},
      {
        onSuccess: () => {
          refreshAll()
          say('Exemple retiré.')
        },
        onError: (error) => sayError(error),
      },
    )
  }
  if (sample === null) {
    return (
      <Door
        Icon={IconFlask2}
        title="Essayer avec un exemple"
        about={inWords(
          'Quarante titres et vingt lecteurs inventés, à prêter sans crainte, qui se retirent en une fois.',
        )}
      >
        <Button variant="default" loading={add.isPending} onClick={lay}>
          Poser l’exemple
        </Button>
      </Door>
    )
  }
  const [first = '', ...others] = sample.bar_codes
  return (
    <Door
      Icon={IconFlask2}
      title="L’exemple est posé"
      about={
        <>
          {sample.references} titres, {sample.copies}
          {inWords(' exemplaires et ')}
          {sample.readers}
          {inWords(' lecteurs. À l’accueil, tapez la carte ')}
          <strong>{sample.reader_id}</strong>
          {inWords(', puis l’exemplaire ')}
          <strong>{first}</strong>
          {others.length > 0 ? ` (ou ${others.join(', ')})` : ''}.
        </>
      }
    >
      <div className={styles['doorButtons']}>
        <Button variant="default" component={Link} to="/home">
          Prêter à l’accueil
        </Button>
        <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => void takeAway()}>
          Retirer l’exemple
        </Button>
      </div>
    </Door>
  )
}
