import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'

import { type Act, getAct } from '../../contract/acts.ts'
import { actKinds, undoingGoesOn } from '../../domain/act-kinds.ts'
import { oneQuery } from '../api/queries.ts'
import { Detail } from '../ui/lists/detail.tsx'
import { Facts, FactsOf } from '../ui/facts.tsx'
import { UnreadState } from '../ui/states.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import { ActRows } from './act-rows.tsx'
import { actState, touchedWords } from './act-words.ts'
import { useUndoAct } from './use-undo-act.tsx'

/** An act: who did it, when, and each record that it touched. */
export default function ActViewScreen() {
  const id = Number(useParams()['act_id'])
  const {
    data: act,
    error,
    refetch,
  } = useQuery({
    ...oneQuery(getAct, id),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? restOf(state.data) : false),
  })
  const actions = useUndoAct()
  return (
    <Detail
      of={act}
      title={act?.name ?? 'Acte'}
      picture={<IconStack2 size="2.5rem" stroke={1.5} aria-hidden />}
      state={act ? <StatusTag tone={actState(act).tone}>{actState(act).words}</StatusTag> : null}
      actions={actions}
      primary="undo"
    >
      {act ? (
        <>
          <FactsOf>
            <Facts
              title="L’acte"
              facts={[
                ['Nature', actKinds[act.kind].words],
                ['Fait le', frenchInstant(act.begun_at)],
                ['Par', act.who],
                ['Touchés', touchedWords(act.touched)],
                ['Rendus à leur état d’avant', act.undone > 0 ? touchedWords(act.undone) : null],
                // Its state says so.
                ['Ne s’annule pas', act.touched > 0 && act.undone >= act.touched ? null : act.fixed],
              ]}
            />
          </FactsOf>
          <ActRows key={id} act={act} />
        </>
      ) : (
        <UnreadState
          error={error}
          onRetry={refetch}
          lead={{ to: '/settings/acts', label: 'Les actes' }}
          height="12rem"
        />
      )}
    </Detail>
  )
}

/** All of its lines are counted each time: of an import of a hundred thousand rows, that takes the embedded engine a second. */
const restOf = ({ touched }: Act) => Math.min(10_000, Math.max(1000, touched / 10))

/** Somebody is doing or undoing it at this moment. */
const isMoving = ({ ended_at, fixed }: Act) => ended_at === null || fixed === undoingGoesOn
